"""Quick match in the browser: two strangers find each other, and one alone goes on with bots."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.table import DESKTOP, PHONE, Visit, expect_table
from tests.e2e.test_accessible import faults

pytestmark = pytest.mark.e2e


def test_two_strangers_find_each_other_and_it_starts_by_itself(visit: Visit) -> None:
    anna = visit("/", PHONE, name="Anna")
    anna.get_by_role("link", name="Quick match").click()
    anna.get_by_role("combobox").select_option("bullenparty")
    expect(anna).to_have_url(re.compile("/quick/bullenparty"))
    anna.get_by_role("radio", name="2 players").check()
    assert faults(anna) == []
    anna.get_by_role("button", name="Find a table").click()
    expect(anna.get_by_text("1 of 2 are here.")).to_be_visible()
    expect(anna.get_by_text("you can go on with bots")).to_be_visible()
    # One way, not two: nobody starts or changes what strangers have chosen.
    for name in (re.compile("^Start"), "Change the table"):
        expect(anna.get_by_role("button", name=name)).to_have_count(0)
    bert = visit("/quick/bullenparty", DESKTOP, name="Bert")
    expect(bert.get_by_text("1 waits")).to_be_visible()
    bert.get_by_role("radio", name="2 players").check()
    bert.keyboard.press("Enter")
    for page in (anna, bert):
        expect_table(page)
