"""Somebody whom one does not want to hear: hidden for oneself, reported to the operator, and what the host allows."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.table import PHONE, Visit
from tests.e2e.test_accessible import faults

pytestmark = pytest.mark.e2e

TABLE = """async (name) => {
    const headers = {'content-type': 'application/json'};
    const seats = [{kind: 'person'}, {kind: 'person'}];
    const body = JSON.stringify({game: 'six-nimmt', name, seats, clock: null});
    return (await fetch('/api/tables', {method: 'POST', headers, body})).json();
}"""
JOIN = """async ([table, invite, name]) => {
    const headers = {'content-type': 'application/json'};
    const body = JSON.stringify({name, invite});
    await fetch(`/api/tables/${table}/join`, {method: 'POST', headers, body});
}"""


def says(page: Page, text: str) -> None:
    page.get_by_label("Say something").fill(text)
    page.keyboard.press("Enter")


def test_one_hides_and_reports_somebody_and_the_host_leaves_phrases_only(visit: Visit) -> None:
    anna, bert = visit("/", (320, 640), name="Anna"), visit("/", PHONE, name="Bert")
    made = anna.evaluate(TABLE, "Anna")
    bert.evaluate(JOIN, [made["table"], made["invite"], "Bert"])
    for page in (anna, bert):
        page.goto(f"{visit.url}/table/{made['table']}")
    says(bert, "You cow")
    expect(anna.get_by_text("You cow")).to_be_visible()

    anna.get_by_role("button", name="Mute or report").click()
    hide = anna.get_by_role("button", name="Hide what they write: Bert")
    hide.click()
    expect(anna.get_by_text("You cow")).to_have_count(0)
    anna.reload()  # it holds, and nobody else noticed
    expect(anna.get_by_role("log")).to_be_visible()
    expect(anna.get_by_text("You cow")).to_have_count(0)
    anna.get_by_role("button", name="Mute or report").click()
    hide.click()
    expect(anna.get_by_text("You cow")).to_be_visible()

    anna.get_by_role("button", name="Report: Bert").click()
    anna.get_by_label("Anything to add?").fill("every time")
    assert faults(anna) == []
    wide = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
    assert anna.evaluate(wide)
    anna.get_by_role("button", name="Send the report").click()
    expect(anna.get_by_text("Reported, with 1 line of the chat.")).to_be_visible()

    anna.get_by_label("At this table one may say").select_option("phrases")
    expect(bert.get_by_label("Say something")).to_have_count(0)
    expect(bert.get_by_role("button", name="Hello")).to_be_visible()
