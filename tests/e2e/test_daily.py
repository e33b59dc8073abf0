"""The deal of the day in the browser: played by keyboard, told on without a card, open on the next day."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.table import DESKTOP, PHONE, Visit, expect_table
from tests.e2e.test_accessible import faults
from tests.patience import MS
from tests.server.running import served
from tests.server.test_daily import ANY_DAY, AT_ONCE, Calendar

pytestmark = pytest.mark.e2e


@pytest.fixture
def daily(chromium: Browser, tmp_path: Path) -> Iterator[tuple[Visit, Calendar]]:
    calendar = Calendar(tmp_path / "today.txt")
    with served(tmp_path, AT_ONCE + ANY_DAY, TODAY=str(calendar.file)) as server:
        visit = Visit(chromium, server.url, [])
        yield visit, calendar
        complaints = [line for _, _, lines in visit.made for line in lines]
        for context, _, _ in visit.made:
            context.close()
        assert not complaints, complaints
        assert "Traceback" not in server.log.read_text()


HAND = "[...document.querySelectorAll('[data-card]')].map((card) => card.dataset.card).join(' ')"


def play_first_moves(page: Page) -> list[str]:
    """Always the first card that may be played, by keyboard, to the end; what was in the hand each time."""
    hands: list[str] = []
    over = page.get_by_role("dialog").get_by_role("link", name="The deal of the day")
    while True:
        page.wait_for_function(
            """() => document.querySelector('dialog[open]')
                  || document.querySelector('main .choose button:enabled, main button.choose:enabled')
                  // who has laid a card may lay another one, and while cards fly it is not known yet which
                  // ones one holds: that would be another game
                  || (document.querySelector('.app:has(.say.on) [data-card][aria-disabled="false"]')
                      && !document.querySelector('footer .skip'))""",
            timeout=MS,
        )
        if over.is_visible():
            return hands
        card = page.locator('[data-card][aria-disabled="false"]').first
        choice = page.locator("main .choose button:enabled, main button.choose:enabled").first
        if choice.is_visible():
            choice.press("Enter")
        elif card.is_visible():
            hand = str(page.evaluate(HAND))
            if hands[-1:] != [hand]:  # else the one before is still on its way
                hands.append(hand)
            card.press("Enter")
            if card.get_attribute("aria-disabled") == "false":
                page.keyboard.press("Enter")


def test_a_deal_is_played_told_on_and_open_on_the_next_day(daily: tuple[Visit, Calendar]) -> None:
    visit, calendar = daily
    page = visit("/", PHONE, name="Anna")
    page.get_by_role("link", name="The deal of the day").click()
    expect(page.get_by_role("heading", name="Today, ")).to_be_visible()
    assert faults(page) == []
    page.get_by_role("button", name="Play: 6 nimmt!", exact=True).press("Enter")
    expect_table(page)
    expect(page.get_by_role("button", name="Take back")).to_have_count(0)
    hands = play_first_moves(page)
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("link", name="Replay")).to_have_count(0)
    dialog.get_by_role("link", name="The deal of the day").click()
    mine = page.locator('[data-game="six-nimmt"][data-status="finished"]')
    expect(mine).to_be_in_viewport()
    expect(page.locator('[data-streak="1"]')).to_have_text("1 day in a row")
    expect(mine.get_by_text("still playing")).to_have_count(0)
    mine.get_by_role("button", name="Copy the text: 6 nimmt!").click()
    expect(mine.get_by_role("status")).not_to_be_empty()
    picture = mine.get_by_role("img")
    assert picture.evaluate("(one) => one.decode().then(() => one.naturalWidth)") == 640
    with page.expect_download() as saved:
        mine.get_by_role("button", name="Picture: 6 nimmt!").click()
    assert Path(saved.value.path()).read_bytes().startswith(b"\x89PNG")
    assert faults(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_role("button", name="Play: Bullenparty", exact=True).click()
    expect_table(page)
    page.goto(f"{visit.url}/mine")  # there it is not taken for any other game
    page.get_by_role("button", name="End: Bullenparty").click()
    expect(page.get_by_text("There is no second attempt.")).to_be_visible()
    expect(page.get_by_text("The deal of the day: open tomorrow.")).to_be_visible()
    page.goto(f"{visit.url}/daily")
    twin = visit("/daily", DESKTOP, name="Zoe")
    twin.get_by_role("button", name="Play: 6 nimmt!", exact=True).click()
    expect_table(twin)
    assert play_first_moves(twin) == hands  # who plays alike has the same game
    twin.get_by_role("dialog").get_by_role("link", name="The deal of the day").click()
    theirs = twin.locator('[data-game="six-nimmt"][data-status="finished"]')
    expect(theirs.get_by_text("from your network before")).to_be_visible()
    assert theirs.locator("dd").all_inner_texts() == mine.locator("dd").all_inner_texts()
    calendar.next_day()
    other = visit("/daily", DESKTOP, language="pl")
    line = other.locator('[data-yesterday="six-nimmt"]')
    expect(line.get_by_role("link", name="Powtórka: 6 nimmt!")).to_be_visible()
    assert faults(other) == []
    line.get_by_role("link", name="Sprawdź rozdanie: 6 nimmt!").click()
    expect(other.locator("[data-verdict]")).to_be_visible()
    german = visit("/daily", PHONE, language="de")
    expect(german.get_by_role("heading", name="Gestern, ")).to_be_visible()
    expect(german.get_by_role("button", name="Spielen: X nimmt!")).to_be_visible()
    assert faults(german) == []
