"""Clubs in the browser: a link, a table for the club, a tournament, and its standings on a big screen."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor

import pytest
from playwright.sync_api import Page, Route, expect

from tests.e2e.table import DESKTOP, PHONE, Visit
from tests.e2e.test_accessible import faults
from tests.server.running import Served
from tests.server.test_clubs import joined
from tests.server.test_players import devices
from tests.server.test_tournaments import ask, begun, play_round

pytestmark = pytest.mark.e2e
NARROW = (320, 640)
# When the page has asked for a club, in ms.
ASKED_AT = (
    "performance.getEntriesByType('resource')"
    ".filter((one) => /\\/api\\/clubs\\/\\w+\\?/.test(one.name)).map((one) => one.startTime)"
)


def is_wide(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth > innerWidth"))


def club_of(page: Page, name: str) -> None:
    page.get_by_label("Name of the club").fill(name)
    page.get_by_role("button", name="Make the club").click()
    expect(page.get_by_role("heading", name=name)).to_be_visible()


def link_on(page: Page) -> str:
    invite = page.locator("[data-invite]")
    if invite.get_attribute("open") is None:  # who is alone sees it at once
        invite.get_by_text("Invite others").click()
    field = page.get_by_label("Link of the invitation").and_(page.locator("input"))
    expect(field).to_have_value(re.compile("#invite="))
    return field.input_value()


def test_a_club_is_made_joined_by_its_link_and_its_table_is_open_to_members(visit: Visit) -> None:
    anna = visit("/", NARROW, name="Anna")
    anna.get_by_role("link", name="Clubs").click()
    club_of(anna, "Game night")
    link = link_on(anna)
    assert faults(anna) == []
    assert not is_wide(anna)
    bert = visit("/club/" + link.partition("/club/")[2], PHONE, name="Bert")
    expect(bert.get_by_text("You are invited to “Game night”.")).to_be_visible()
    assert "invite" not in bert.url
    assert faults(bert) == []
    bert.reload()
    expect(bert.get_by_text("You are invited to “Game night”.")).to_be_visible()
    bert.get_by_role("button", name="Join").click()
    expect(bert.get_by_role("listitem").filter(has_text="keeps the club")).to_contain_text("Anna")
    expect(anna.get_by_role("listitem").filter(has_text="Bert")).to_be_visible()
    tables = anna.get_by_role("region", name="Tables")
    expect(tables.get_by_role("combobox")).to_have_value("six-nimmt")
    anna.get_by_role("button", name="Set up a table").click()
    anna.get_by_role("button", name="Set up the table").click()
    expect(anna.get_by_role("heading", name="Waiting for players")).to_be_visible()
    bert.get_by_role("button", name=re.compile("^Sit down: ")).click()
    expect(bert.get_by_role("heading", name="Waiting for players")).to_be_visible()
    expect(anna.get_by_text("Bert", exact=True)).to_be_visible()


def test_one_may_join_when_it_is_known_whether_one_has_said_a_name(visit: Visit) -> None:
    """Whoever was quicker joined without a name, and was refused."""
    anna = visit("/clubs", PHONE, name="Anna")
    club_of(anna, "Game night")
    link = link_on(anna)
    bert = visit("/", PHONE, name="Bert")
    held: list[Route] = []
    bert.route("**/api/me?*", lambda route: held.append(route))
    with bert.expect_request("**/api/me?*"):
        bert.goto(f"{visit.url}/club/{link.partition('/club/')[2]}")
    join = bert.get_by_role("button", name="Join")
    assert join.count() == 0
    for route in held:
        route.continue_()
    join.click()
    expect(bert.get_by_role("listitem").filter(has_text="keeps the club")).to_contain_text("Anna")


def test_the_page_of_a_club_asks_again_after_seconds_and_not_at_once(visit: Visit) -> None:
    anna = visit("/clubs", PHONE, name="Anna")
    club_of(anna, "Alone")
    anna.reload()
    anna.wait_for_function(f"() => {ASKED_AT}.length > 1")
    first, second = anna.evaluate(ASKED_AT)[:2]  # by the page's own clock: this one may look later
    assert second - first > 2000


def test_a_link_works_also_where_the_page_of_its_club_is_open_already(visit: Visit) -> None:
    visit.pardoned += ["status of 404"]
    anna = visit("/clubs", PHONE, name="Anna")
    club_of(anna, "Game night")
    link = link_on(anna)
    path, _, secret = link.partition("/club/")[2].partition("#")
    bert = visit(f"/club/{path}", PHONE, name="Bert")
    expect(bert.get_by_role("alert")).to_contain_text("There is no such club")
    bert.evaluate("(secret) => (location.hash = secret)", secret)  # as by an address typed there
    expect(bert.get_by_text("You are invited to “Game night”.")).to_be_visible()
    assert "#" not in bert.url


def test_a_long_name_of_a_club_leaves_the_settings_in_reach(visit: Visit) -> None:
    anna = visit("/clubs", NARROW, name="Anna")
    club_of(anna, "Donaudampfschifffahrts24")
    title, button = (
        anna.get_by_role("heading", level=1).evaluate("(one) => one.scrollWidth - one.clientWidth"),
        anna.get_by_role("button", name="Settings"),
    )
    assert title <= 0
    expect(button).to_be_in_viewport()


def test_a_tournament_is_announced_entered_and_leads_to_ones_table(
    visit: Visit, server: Served
) -> None:
    anna = visit("/clubs", PHONE, name="Anna")
    club_of(anna, "Class")
    link = link_on(anna)
    anna.locator("[data-announce] > summary").click()
    anna.get_by_label("Players at a table").select_option("2")
    assert faults(anna) == []
    anna.get_by_role("button", name="Announce a tournament").click()
    expect(anna.get_by_text("open to enter")).to_be_visible()
    expect(anna.get_by_text("At least two have to take part.")).to_be_visible()
    with devices(server, 1) as (bert,):
        path, _, invite = link.partition("/club/")[2].partition("#invite=")
        joined(bert, {"club": path, "link": f"#invite={invite}"}, "Bert")
        ask(bert, anna.url.rpartition("/")[2], "enter").raise_for_status()
        expect(anna.get_by_text("2 take part")).to_be_visible()
    assert faults(anna) == []
    anna.get_by_role("button", name="Start the tournament").click()
    expect(anna.get_by_text("Round 1 of 1")).to_be_visible()
    anna.set_viewport_size({"width": NARROW[0], "height": NARROW[1]})
    assert not is_wide(anna)
    anna.get_by_role("button", name="Take part no more").click()
    expect(anna.get_by_text("cannot come back")).to_be_visible()
    anna.get_by_role("button", name="No", exact=True).click()
    anna.get_by_role("button", name="To your table").click()
    expect(anna.get_by_text("The game starts by itself")).to_be_visible()
    expect(anna.get_by_text("kept for Bert")).to_be_visible()
    anna.get_by_role("link", name="To the tournament").click()
    expect(anna.get_by_role("button", name="To your table")).to_be_visible()


def test_the_big_screen_follows_the_standings_without_loading_again(
    visit: Visit, server: Served
) -> None:
    with devices(server, 2) as all_of:
        tournament = begun(all_of)
        screen = visit(f"/standings/{tournament}", DESKTOP)
        expect(screen.get_by_text("Round 1 of 1")).to_be_visible()
        screen.evaluate("window.still = true")
        with ThreadPoolExecutor(1) as pool:  # Playwright has a loop of its own in this thread
            pool.submit(play_round, server, tournament, all_of, 1).result()
        expect(screen.get_by_text(re.compile("^Winner: "))).to_be_visible()
        assert screen.evaluate("window.still")
        assert faults(screen) == []
