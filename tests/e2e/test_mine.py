"""A place to come back to: two devices of one player, what can be ended, and being forgotten."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.table import DESKTOP, PHONE, Visit, expect_table, play_now
from tests.server.running import served

pytestmark = pytest.mark.e2e


def mine(page: Page, url: str) -> Page:
    page.goto(f"{url}/mine")
    expect(page.get_by_role("heading", name="In progress")).to_be_visible()
    return page


def code_of(page: Page, url: str) -> str:
    page.goto(f"{url}/me")
    page.get_by_role("button", name="Make a code", exact=True).click()
    shown = page.get_by_role("status", name="Code")
    expect(shown).to_be_visible()
    expect(page.get_by_role("img", name="QR code")).to_be_visible()
    return shown.inner_text()


def use(page: Page, code: str) -> None:
    page.get_by_role("textbox", name="Code").fill(code)
    page.get_by_role("button", name="Use the code").click()


def test_two_devices_of_one_player_see_the_same_tables_and_a_code_works_once(visit: Visit) -> None:
    visit.pardoned += ["status of 403"]
    phone = visit("/", PHONE, name="Anna")
    play_now(phone, "X nimmt!")
    code = code_of(phone, visit.url)
    laptop = visit(f"/me#code={code}", DESKTOP)
    assert "#" not in laptop.url  # nothing stays in the address
    expect(laptop.get_by_role("textbox", name="Code")).to_have_value(code)
    laptop.get_by_role("button", name="Use the code").click()
    expect(laptop.get_by_text("This device is now Anna’s.")).to_be_visible()
    for page in (mine(phone, visit.url), mine(laptop, visit.url)):
        expect(page.get_by_role("heading", name="X nimmt!")).to_have_count(1)
        expect(page.get_by_text("Your turn")).to_be_visible()
    laptop.get_by_role("button", name="Go on: X nimmt!").click()
    expect_table(laptop)
    thief = visit("/me", PHONE)
    use(thief, code)
    expect(thief.get_by_role("alert")).to_contain_text("not valid")
    expect(mine(thief, visit.url).get_by_text("No game is going on")).to_be_visible()


def test_who_is_deleted_is_gone_on_all_devices(visit: Visit) -> None:
    page = visit("/", PHONE, name="Anna")
    play_now(page, "6 nimmt!")
    code = code_of(page, visit.url)
    other = visit("/me", PHONE)
    use(other, code)
    expect(other.get_by_text("This device is now Anna’s.")).to_be_visible()
    other.get_by_role("button", name="Delete me", exact=True).click()
    other.get_by_role("button", name="Yes, delete me for good").click()
    expect(other.get_by_text("You are forgotten.")).to_be_in_viewport()
    expect(mine(page, visit.url).get_by_text("No game is going on")).to_be_visible()
    assert page.evaluate("async () => (await (await fetch('/api/me')).json()).player") is None


def test_a_device_speaks_the_language_of_whom_it_becomes(visit: Visit) -> None:
    anna = visit("/", PHONE, name="Anna")
    play_now(anna, "6 nimmt!")
    code = code_of(anna, visit.url)
    other = visit("/me", DESKTOP, language="pl")
    other.get_by_role("textbox", name="Kod").fill(code)
    other.get_by_role("button", name="Użyj kodu").click()
    expect(other.get_by_text("This device is now Anna’s.")).to_be_visible()
    for name in ("My ratings", "Notifications", "Use it on another device", "Passkeys"):
        expect(other.get_by_role("heading", name=name)).to_be_visible()


def test_a_name_that_was_changed_on_another_device_is_the_name_here_too(visit: Visit) -> None:
    anna = visit("/", PHONE, name="Anna")
    play_now(anna, "6 nimmt!")
    code = code_of(anna, visit.url)
    other = visit("/me", DESKTOP)
    use(other, code)
    expect(other.get_by_text("This device is now Anna’s.")).to_be_visible()
    other.get_by_role("textbox", name="Your name").fill("Hanna")
    other.get_by_role("button", name="Save").click()
    expect(other.get_by_text("Saved.")).to_be_visible()
    anna.goto(f"{visit.url}/me")
    expect(anna.get_by_role("textbox", name="Your name")).to_have_value("Hanna")
    anna.goto(f"{visit.url}/new/six-nimmt")
    expect(anna.get_by_role("textbox", name="Your name")).to_have_value("Hanna")


def test_a_full_limit_is_told_where_one_tapped_and_leads_to_what_can_be_ended(
    chromium: Browser, tmp_path: Path
) -> None:
    with served(tmp_path, BULLPEN_TABLES_PER_PLAYER="1") as server:
        visit = Visit(chromium, server.url, [])
        page = visit("/", PHONE, name="Anna")
        play_now(page, "Bullenparty")
        page.goto(f"{server.url}/")
        expect(page.get_by_role("region", name="My tables")).to_contain_text("Your turn")
        button = page.get_by_role("button", name="Play now: Hornochsen!, against bots")
        button.click()
        told = page.get_by_role("alert")
        expect(told).to_contain_text("no more than 1 tables")
        expect(told).to_be_in_viewport()
        told.get_by_role("link", name="To my tables").click()
        page.get_by_role("button", name="End: Bullenparty").click()
        page.get_by_role("button", name="Yes").click()
        expect(page.get_by_text("No game is going on")).to_be_visible()
        page.get_by_role("link", name="All games").first.click()
        play_now(page, "Hornochsen!")
        visit.made[0][0].close()
