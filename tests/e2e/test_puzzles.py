"""Puzzles in the browser: tried, explained, and remembered by the device."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from bullpen.coach.puzzles import puzzles_of
from bullpen.games import GAMES
from tests.e2e.table import DESKTOP, PHONE, Visit
from tests.e2e.test_accessible import faults

pytestmark = pytest.mark.e2e


def test_a_puzzle_is_tried_until_it_is_solved_and_the_next_one_opens(visit: Visit) -> None:
    puzzles = puzzles_of(GAMES["six-nimmt"])
    at = next(at for at, one in enumerate(puzzles, 1) if one.answer.startswith("play "))
    best, other = (getattr(puzzles[at - 1], name).split()[1] for name in ("answer", "second"))
    known = ",".join(map(str, range(1, at)))
    page = visit("/puzzles", PHONE)
    page.evaluate(f"localStorage.setItem('bullpen.puzzles', '{{\"six-nimmt\":[{known}]}}')")
    page.locator('a[href="/puzzles/six-nimmt"]').click()
    expect(page.get_by_role("heading", name=f"Puzzle {at} of {len(puzzles)}")).to_be_visible()
    expect(page.get_by_text("players, you are one of them")).to_be_visible()
    assert faults(page) == []
    for card in (other, best):
        page.locator(f'[data-card="{card}"][aria-disabled="false"]').click()
        page.get_by_role("button", name=re.compile("^Play ")).click()
        expect(
            page.locator(f'[data-right="{"true" if card == best else "false"}"]')
        ).to_be_visible()
        assert faults(page) == []
        verdict = page.locator("[data-right]")
        expect(verdict).to_be_focused()
        expect(verdict.get_by_role("button", name="Next puzzle")).to_be_in_viewport(ratio=1)
        if card == other:
            page.get_by_role("button", name="Try it again").click()
            expect(page.locator("[data-right]")).to_have_count(0)  # the position stands anew
    page.get_by_role("button", name="Next puzzle").press("Enter")
    expect(page.get_by_role("heading", name=f"Puzzle {at + 1} of")).to_be_focused()
    polish = visit("/puzzles", DESKTOP, language="pl")
    expect(polish.get_by_role("heading", name="Zagadki")).to_be_visible()
    assert faults(polish) == []
