"""A finished game once more: by slider, by keys, all hands open or from one chair."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.finished import GAMES, beside, finished, replay_of
from tests.e2e.table import DESKTOP, PHONE, Visit, fits
from tests.server.running import Served, people, started_table

pytestmark = pytest.mark.e2e

STEPPED = 12  # turns
# Everything that is told to those who listen, in order.
LYING = "[...document.querySelectorAll('main [aria-label], .hands [aria-label]')].map((node) => node.getAttribute('aria-label'))"


def opened(visit: Visit, address: str, size: tuple[int, int] = DESKTOP) -> Page:
    page = visit(address, size)
    expect(page.locator("main .board")).to_be_visible()
    return page


def at(page: Page) -> str:
    return page.locator(".controls .count").inner_text()


@pytest.mark.parametrize("game", GAMES)
def test_stepping_through_leads_where_jumping_leads(
    visit: Visit, server: Served, game: str
) -> None:
    """Flying cards and the server's word agree, in the last turns of every game."""
    table = finished(server.url, game)
    last = len(replay_of(server.url, table)["turns"]) - 1
    page = opened(visit, f"/replay/{table}?at={last - STEPPED}")
    for turn in range(last - STEPPED + 1, last + 1):
        page.keyboard.press("ArrowRight")
        expect(page.locator(".controls .count")).to_have_text(f"{turn}/{last}")
    expect(page.locator(".controls .count")).to_have_text(f"{last}/{last}")
    jumped = opened(visit, f"/replay/{table}?at={last}").evaluate(LYING)
    page.wait_for_function(
        f"(jumped) => JSON.stringify({LYING}) === JSON.stringify(jumped)", arg=jumped
    )


@pytest.mark.parametrize("size", [PHONE, DESKTOP])
def test_the_slider_and_the_keys_move_through_the_game(
    visit: Visit, server: Served, size: tuple[int, int]
) -> None:
    page = opened(visit, f"/replay/{finished(server.url, 'six-nimmt')}", size)
    assert at(page).startswith("0/")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".controls .count")).to_have_text("1/" + at(page).split("/")[1])
    slider = page.get_by_role("slider")
    slider.fill("9")
    expect(page.locator(".controls .count")).to_have_text(re.compile("^9/"))
    expect(slider).to_have_attribute("aria-valuetext", re.compile("9"))
    slider.focus()
    page.keyboard.press("ArrowRight")  # the slider's own key: one turn, not two
    expect(page.locator(".controls .count")).to_have_text(re.compile("^10/"))
    assert fits(page)


def test_it_plays_by_itself_and_stops_on_demand(visit: Visit, server: Served) -> None:
    page = opened(visit, f"/replay/{finished(server.url, 'six-nimmt')}")
    page.clock.install()
    page.locator("h1").click()
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    page.wait_for_function(
        "() => parseInt(document.querySelector('.controls .count').textContent) >= 3"
    )
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    stopped = at(page)
    page.clock.run_for(60_000)  # a minute of the page's own time
    assert at(page) == stopped


def test_from_a_chair_only_its_own_hand_is_open(visit: Visit, server: Served) -> None:
    table = finished(server.url, "six-nimmt")
    turns = replay_of(server.url, table)["turns"]
    page = opened(visit, f"/replay/{table}")
    faces = page.locator(".hands ol").nth(1).locator(".card:not(.down)")
    expect(faces).to_have_count(10)
    page.locator("header select").select_option("0")
    expect(faces).to_have_count(0)
    labels = page.evaluate(LYING)
    hidden = [f"Card {card}," for card in turns[0]["places"]["hand 1"]]
    assert not [label for label in labels for start in hidden if label.startswith(start)]


def test_a_shared_link_opens_the_same_position(visit: Visit, server: Served) -> None:
    table = finished(server.url, "x-nimmt")
    page = opened(visit, f"/replay/{table}")
    page.get_by_role("slider").fill("5")
    page.get_by_role("button", name="More").click()
    page.get_by_role("button", name="Copy a link").click()
    page.wait_for_url("**/replay/*?at=5")
    again = opened(visit, page.url.removeprefix(server.url))
    assert at(again) == at(page)
    lying = again.evaluate(LYING)
    page.wait_for_function(
        f"(lying) => JSON.stringify({LYING}) === JSON.stringify(lying)", arg=lying
    )


def test_the_record_can_be_downloaded(visit: Visit, server: Served) -> None:
    page = opened(visit, f"/replay/{finished(server.url, 'six-nimmt')}")
    page.get_by_role("button", name="More").click()
    with page.expect_download() as download:
        page.get_by_role("link", name="Download the record").click()
    assert download.value.suggested_filename.startswith("six-nimmt-")


def test_a_game_that_is_not_over_cannot_be_replayed(visit: Visit, server: Served) -> None:
    visit.pardoned.append("status of 409")  # refused, as it must be: browsers tell of it
    table, _ = beside(lambda: started_table(server.url, "six-nimmt", people(2)))
    page = visit(f"/replay/{table}")
    expect(page.locator("main")).to_contain_text("only when the game is over")
    assert page.locator(".board").count() == 0
