"""A table that lives: changed before the start, joined after it, played once more, and played on from its replay."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.finished import finished, replay_of
from tests.e2e.sitting import ByKeys, Sitting
from tests.e2e.table import DESKTOP, PHONE, Visit
from tests.e2e.test_accessible import faults
from tests.e2e.test_together import play_to_the_end, table_for_two, table_of
from tests.server.running import Served

pytestmark = pytest.mark.e2e


def test_from_a_replay_one_plays_on_to_another_end(visit: Visit, server: Served) -> None:
    old = finished(server.url, "six-nimmt")
    before = replay_of(server.url, old)
    last = len(before["turns"]) - 1
    turn = last - 4
    page = visit(f"/replay/{old}?at={turn}&seat=1", PHONE, name="Zoe")
    expect(page.locator("main .board")).to_be_visible()
    page.get_by_role("button", name="Play on from here").focus()
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog", name="Play on from here")
    expect(dialog).to_contain_text("The old game stays as it is.")
    expect(dialog.get_by_label("Your chair")).to_have_value("1")
    dialog.get_by_label("The bots play").select_option("easy")
    assert faults(page) == []
    dialog.get_by_role("button", name="Play on", exact=True).click()
    hand = before["turns"][turn]["places"]["hand 1"]
    expect(page.locator("[data-card]")).to_have_count(len(hand))
    cards = page.locator("[data-card]").evaluate_all("(all) => all.map((one) => +one.dataset.card)")
    assert sorted(cards) == sorted(hand)
    expect(page.locator("[data-played-on]")).to_have_attribute("href", f"/replay/{old}?at={turn}")
    assert faults(page) == []
    Sitting(page).play_to_the_end()
    expect(page.get_by_role("dialog")).to_contain_text("it counts for nothing")
    new = replay_of(server.url, table_of(page))
    assert new["turns"][turn]["places"] == before["turns"][turn]["places"]
    assert replay_of(server.url, old) == before
    page.goto(f"{server.url}/replay/{old}?at={last}")
    expect(page.get_by_role("button", name="Play on from here")).to_be_disabled()


def test_what_the_host_changes_everybody_reads_at_once(visit: Visit) -> None:
    ann, bo = table_for_two(visit)
    ann.get_by_role("button", name="One more seat").click()
    expect(bo.get_by_text("Ann has changed the table: 3 seats.")).to_be_visible()
    expect(bo.locator(".seats li")).to_have_count(3)
    ann.get_by_role("button", name="Remove this seat").click()
    expect(bo.locator(".seats li")).to_have_count(2)
    expect(ann.get_by_role("button", name="Remove this seat")).to_have_count(0)  # Bo sits there
    ann.get_by_role("button", name="Change the table").click()
    dialog = ann.get_by_role("dialog", name="Change the table")
    dialog.get_by_label("Rounds").fill("1")
    dialog.get_by_label("Time for a decision").select_option("30 seconds")
    assert faults(ann) == []
    dialog.get_by_role("button", name="Change the table").click()
    told = "Ann has changed the table: Rounds: 1 and Time for a decision: 30 seconds."
    expect(bo.get_by_text(told)).to_be_visible()
    expect(bo.locator("[data-conditions]")).to_contain_text("30 seconds")
    expect(bo.get_by_role("button", name="Change the table")).to_have_count(0)
    assert faults(bo) == []


def late(visit: Visit, ann: Page) -> Page:
    """Somebody whom Ann invites when the game runs already."""
    ann.get_by_role("button", name="More").click()
    ann.get_by_role("button", name="Invite others").click()
    link = ann.get_by_role("dialog").get_by_label("Invite others").input_value()
    ann.get_by_role("button", name="Close").click()
    return visit(re.sub("^https?://[^/]+", "", link), PHONE)


def test_somebody_late_plays_for_a_bot_and_then_once_more(visit: Visit) -> None:
    ann = visit("/", DESKTOP, name="Ann")
    made = ann.evaluate(
        """async (wish) => {
            const post = (path, body) => fetch('/api' + path, {method: 'POST', headers: {'content-type': 'application/json'}, body: JSON.stringify(body)});
            const made = await (await post('/tables', wish)).json();
            await post(`/tables/${made.table}/start`, {});
            return made.table;
        }""",
        {
            "game": "six-nimmt",
            "name": "Ann",
            "seats": [{"kind": "person"}, {"kind": "bot", "level": "easy"}],
            "options": {"rounds": 1},
            "clock": None,
        },
    )
    ann.goto(f"{visit.url}/table/{made}")
    expect(ann.locator("[data-card]")).to_have_count(10)
    cy = late(visit, ann)
    cy.get_by_role("button", name="Take over a bot’s seat").click()
    cy.get_by_label("Your name").fill("Cy")
    bot = cy.get_by_label("Whose seat").locator("option").inner_text().removesuffix(" (bot)")
    assert faults(cy) == []
    cy.get_by_role("button", name="Ask for the seat").click()
    expect(cy.get_by_text("Waiting for Ann to let you in…")).to_be_visible()
    expect(cy.locator("[data-card]")).to_have_count(0)
    asked = ann.get_by_role("dialog", name="Take over a bot’s seat")
    expect(asked).to_contain_text(f"Cy would like to play on for {bot}. Let them in?")
    assert faults(ann) == []
    asked.get_by_role("button", name="Yes").click()
    expect(cy.locator("[data-card]").first).to_be_visible()
    expect(cy.get_by_role("dialog")).to_have_count(0)
    expect(ann.get_by_role("log")).to_contain_text(f"Cy plays on for {bot}.")
    play_to_the_end(ann, cy)
    expect(ann.get_by_role("dialog")).to_contain_text(f"Who played for Cy: {bot}")
    ann.get_by_role("button", name="Play again").click()
    expect(ann.get_by_text("kept for Cy")).to_be_visible()  # others may know of it before Ann does
    want = cy.get_by_role("dialog").locator(".again").get_by_role("status")
    expect(want).to_have_text("Ann wants to play again")
    assert faults(cy) == []
    cy.get_by_role("dialog").get_by_role("button", name="Play again").click()
    cy.wait_for_url(ann.url)
    expect(ann.get_by_text("Cy", exact=True)).to_be_visible()


def test_a_game_that_is_played_on_is_played_by_keys_alone(visit: Visit, server: Served) -> None:
    old = finished(server.url, "x-nimmt")
    last = len(replay_of(server.url, old)["turns"]) - 1
    page = visit(f"/replay/{old}?at={last - 3}", DESKTOP, language="de")
    expect(page.locator("main .board")).to_be_visible()
    page.get_by_role("button", name="Ab hier weiterspielen").focus()
    page.keyboard.press("Enter")
    expect(page.locator("dialog[open] .go")).to_be_enabled()
    ByKeys(page).tab_to("dialog[open] .go")
    page.keyboard.press("Enter")
    expect(page.locator("[data-played-on]")).to_contain_text("Übung ab Zug")
