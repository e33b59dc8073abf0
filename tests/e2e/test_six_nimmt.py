"""6 nimmt! in the browser: a whole game by mouse and one by keyboard, and two people at one table."""

from __future__ import annotations

import re
import signal
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.e2e.sitting import ByKeys, sit_down
from tests.e2e.table import (
    DESKTOP,
    PHONE,
    SMALL_PHONE,
    TABLET,
    Visit,
    expect_table,
    fits,
    play_now,
    resize,
    step,
)
from tests.patience import until
from tests.server.running import served

pytestmark = pytest.mark.e2e

SHORT_GAME = {"rounds": 1}


def started(page: Page, game: str, **wishes: object) -> None:
    """A table against bots, made as the page makes it, with a game that is soon over."""
    table = page.evaluate(
        """async (wish) => {
            const post = (path, body) => fetch('/api' + path, {method: 'POST', headers: {'content-type': 'application/json'}, body: JSON.stringify(body)});
            const made = await (await post('/tables', wish)).json();
            await post(`/tables/${made.table}/start`, {});
            return made.table;
        }""",
        {
            "game": game,
            "name": "Ann",
            "seats": [{"kind": "person"}, *[{"kind": "bot", "level": "easy"}] * 2],
            "clock": None,
            **wishes,
        },
    )
    page.goto(f"{page.url.rstrip('/')}/table/{table}")
    expect_table(page)


def test_a_game_against_bots_is_one_click_away(visit: Visit) -> None:
    page = visit("/")
    play_now(page, "6 nimmt!")
    expect(page.get_by_role("list", name="Players").get_by_role("listitem")).to_have_count(4)
    assert fits(page)


@pytest.mark.parametrize("game", ["six-nimmt", "x-nimmt", "baron-oxx"])
def test_a_whole_game_is_played_by_tapping(visit: Visit, game: str) -> None:
    page = visit("/", PHONE)
    options = {} if game == "baron-oxx" else SHORT_GAME
    started(page, game, options=options)
    for _ in range(200):
        if not step(page):
            break
    expect(page.get_by_role("button", name="Play again")).to_be_visible()


@pytest.mark.parametrize("game", ["six-nimmt", "x-nimmt", "baron-oxx"])
def test_a_whole_game_is_played_by_keyboard_alone(visit: Visit, game: str) -> None:
    options = {} if game == "baron-oxx" else SHORT_GAME
    page = sit_down(visit, game, DESKTOP, options=options)
    ByKeys(page, seed=1).play_to_the_end()
    expect(page.get_by_role("button", name="Play again")).to_be_visible()


@pytest.mark.parametrize("seats", [2, 10])
def test_a_table_needs_no_scrolling(visit: Visit, seats: int) -> None:
    page = visit("/", PHONE)
    bots = [{"kind": "bot", "level": "easy"}] * (seats - 1)
    started(page, "six-nimmt", seats=[{"kind": "person"}, *bots])
    for size in (SMALL_PHONE, PHONE, TABLET, (1280, 720), DESKTOP):
        resize(page, size)
        assert fits(page), size
        hand = page.locator("[data-card]").last.bounding_box()
        assert hand is not None
        assert hand["y"] + hand["height"] * 0.8 < size[1], size


def test_a_friend_joins_by_the_link_and_both_see_the_same(visit: Visit) -> None:
    host = visit("/new/six-nimmt", DESKTOP, name="Ann")
    host.get_by_role("button", name="Set up the table").click()
    link = host.get_by_role("textbox", name="Invite others").input_value()
    expect(host.get_by_role("img", name="QR code of the invitation")).to_be_visible()

    friend = visit("/table/" + link.partition("/table/")[2], PHONE)
    assert "invite" not in friend.url  # the invitation is out of the address at once
    friend.get_by_role("textbox", name="Your name").fill("Bo")
    friend.get_by_role("button", name="Sit down").click()
    expect(host.get_by_text("Bo", exact=True)).to_be_visible()

    host.get_by_role("button", name=re.compile("^Start")).click()
    for page in (host, friend):
        expect(page.locator("[data-card]")).to_have_count(10)
        expect(rows(page)).to_have_count(4)
    before = lying(host)
    for page in (host, friend):
        page.locator("[data-card]").last.click()
        page.get_by_role("button", name=re.compile("^Play ")).click()
    for page in (host, friend):
        expect(page.locator("[data-card]")).to_have_count(9)

    def is_placed() -> bool:
        for page in (host, friend):  # once in a thousand deals even the highest card is too low
            if page.locator("main .choose").count():
                page.locator("main .choose").first.click()
        return lying(host) == lying(friend) != before

    until(is_placed, lambda: (lying(host), lying(friend)))


def rows(page: Page) -> Locator:
    return page.get_by_role("group", name=re.compile("^Row "))


def lying(page: Page) -> list[str]:
    labels: list[str] = rows(page).evaluate_all(
        "rows => rows.map(row => row.getAttribute('aria-label'))"
    )
    return labels


def test_a_lost_connection_comes_back_without_a_reload(chromium: Browser, tmp_path: Path) -> None:
    """The server is killed in the middle of a game and started again."""
    with served(tmp_path) as server:
        page = Visit(chromium, server.url, [])("/", PHONE)
        started(page, "six-nimmt")
        page.evaluate("window.mark = 'the same page'")
        page.wait_for_load_state("networkidle")  # a page that lacks a part loads itself again
        server.end(signal.SIGKILL)
        expect(page.get_by_text("The connection is gone")).to_be_visible()
        page.locator("[data-card]").first.click()
        page.get_by_role("button", name=re.compile("^Play ")).click()  # said to nobody, kept
        server.start()
        expect(page.get_by_text("The connection is gone")).to_be_hidden()
        expect(page.get_by_role("group", name=re.compile("^Row "))).to_have_count(4)
        expect(page.locator("[data-card]")).to_have_count(9)
        expect(page.get_by_text(re.compile("^You play ")).first).to_be_attached()
        assert page.evaluate("window.mark") == "the same page"
        page.context.close()


def test_the_page_speaks_polish(visit: Visit) -> None:
    page = visit("/", PHONE, language="pl")
    expect(page.get_by_role("heading", name="W co gramy?")).to_be_visible()
    expect(page.get_by_role("button", name="Zagraj teraz: 6 nimmt!, z botami")).to_be_visible()
