"""The first game: told step by step what to do, and why."""

from __future__ import annotations

import contextlib

import pytest
from playwright.sync_api import Route, TimeoutError, expect

from tests.e2e.finished import GAMES
from tests.e2e.sitting import ASKED, Sitting
from tests.e2e.table import DESKTOP, PHONE, Visit, expect_table, fits

pytestmark = pytest.mark.e2e

LESSONS = 5  # that must have come up soon
SOON = 40  # decisions


@pytest.mark.parametrize("game", GAMES)
def test_a_beginner_is_led_through_the_first_turns(visit: Visit, game: str) -> None:
    page = visit(f"/tutorial/{game}", PHONE)
    got_it = page.get_by_role("button", name="Got it")
    sitting = Sitting(page, seed=1)
    told: list[str] = []
    for _ in range(SOON):
        if page.get_by_role("button", name="Play again").count():  # won before all had come up
            page.reload()
        page.wait_for_selector(
            "[data-card], dialog[open]"
        )  # a counted round waits, and no hand is there
        while got_it.count():
            told.append(page.locator(".words").inner_text())
            with contextlib.suppress(TimeoutError):
                got_it.click(timeout=1500)
        told.append(page.locator(".words").inner_text())
        assert fits(page)
        if len(set(told)) >= LESSONS + 1:
            return
        page.wait_for_selector(ASKED)
        with contextlib.suppress(TimeoutError):
            sitting.decide()
    raise AssertionError(set(told))


def test_who_just_plays_is_told_what_fits(visit: Visit) -> None:
    """Without ever pressing “Got it”."""
    page = visit("/tutorial/six-nimmt", PHONE)
    words = page.locator(".words")
    expect(words).to_contain_text("minus points")
    page.locator("[data-card]").last.click()
    expect(words).to_contain_text("The dashed place")
    page.locator("footer .go").click()
    expect(words).to_contain_text("The lowest card was placed first")


def test_the_help_can_be_skipped_and_the_game_goes_on(visit: Visit) -> None:
    page = visit("/tutorial/six-nimmt", DESKTOP)
    expect(page.locator(".bubble")).to_be_visible()
    page.get_by_role("button", name="Play on without help").click()
    expect(page.locator(".bubble")).to_have_count(0)
    expect(page.locator("[data-card]")).to_have_count(10)


def test_who_leaves_before_it_has_begun_leaves_no_connection(visit: Visit) -> None:
    page = visit("/", DESKTOP)
    held: list[Route] = []
    sockets: list[str] = []
    page.on("websocket", lambda socket: sockets.append(socket.url))
    page.route("**/start?*", lambda route: held.append(route))
    with page.expect_request("**/start?*"):
        page.goto(f"{visit.url}/tutorial/six-nimmt")
    page.get_by_role("link", name="All games").first.click()
    expect(page.get_by_role("heading", name="Which game?")).to_be_visible()
    with page.expect_response("**/start?*"):
        held[0].continue_()
    page.evaluate(
        "fetch('/healthz').then((answer) => answer.json())"
    )  # the page has read both answers
    assert not sockets


def test_it_is_found_from_the_first_page(visit: Visit) -> None:
    page = visit("/", PHONE)
    page.get_by_role("link", name="First time here?").click()
    page.get_by_role("link", name="Learn X nimmt!").click()
    expect(page.locator(".bubble")).to_contain_text("X pile")


def test_a_whole_first_game_ends_with_kind_words(visit: Visit) -> None:
    page = visit("/tutorial/six-nimmt", DESKTOP)
    expect_table(page)
    Sitting(page).play_to_the_end()
    expect(page.locator(".words")).to_contain_text("That was your first game of 6 nimmt!")
