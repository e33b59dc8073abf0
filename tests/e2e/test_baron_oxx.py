"""6 nimmt! Baron Oxx in the browser: where the most bulls win, the result says so, and taking is good."""

from __future__ import annotations

import contextlib
import re
from typing import Any

import pytest
from playwright.sync_api import Page, TimeoutError, expect

from tests.e2e.sitting import ASKED, STEPS, Sitting, sit_down
from tests.e2e.table import DESKTOP, SHORT, Visit

pytestmark = pytest.mark.e2e

POSITIVE = {"variant": "positive"}
NEARLY_ALL = 36  # decisions of one seat, of some 45 that a game has with two


def scores_shown(page: Page) -> list[int]:
    """In the order of the result."""
    return [int(text) for text in page.locator("dialog[open] li b[title]").all_inner_texts()]


@pytest.mark.parametrize(
    ("options", "words", "unit"),
    [
        ({}, "Minus points: the lowest score wins.", "minus point"),
        (POSITIVE, "Points: the highest score wins.", "point"),
    ],
)
def test_the_winner_stands_first(
    visit: Visit, options: dict[str, Any], words: str, unit: str
) -> None:
    page = sit_down(visit, "baron-oxx", DESKTOP, played=NEARLY_ALL, options=options)
    Sitting(page).play_to_the_end()
    shown = scores_shown(page)
    assert shown == sorted(shown, reverse=options == POSITIVE)
    expect(page.locator("dialog[open]").get_by_text(words)).to_be_visible()
    first = page.locator("dialog[open] li:has(b[title])").first
    expect(first.locator("svg")).to_be_visible()  # the crown
    said = first.locator("b").get_attribute("title") or ""
    assert said.startswith(f"{shown[0]} {unit}")

    page.get_by_role("link", name="Watch it again").click()
    page.get_by_role("button", name="More").click()
    expect(page.locator("dialog[open]").get_by_text(words)).to_be_visible()
    assert scores_shown(page) == shown


# What a page shows of a counted game goes by itself after a while: the first such picture is kept.  A tone's colour is
# told by its name.
KEEP_THE_COUNT = """(within) => {
    const kept = [];
    const named = (colour) => {
        const probe = document.createElement('i');
        document.body.append(probe);
        const found = ['--good', '--danger-ink'].find((name) => {
            probe.style.color = `var(${name})`;
            return getComputedStyle(probe).color === colour;
        });
        probe.remove();
        return found ?? colour;
    };
    const look = () => {
        const shown = document.querySelector(within);
        const bars = [...(shown?.querySelectorAll('li b[title]') ?? [])];
        if (!bars.length || kept.length) return;
        kept.push({
            words: shown.textContent,
            scores: bars.map((bar) => bar.title),
            parts: [...shown.querySelectorAll('section li b')].map((part) =>
                [part.textContent, part.parentElement.classList[0], named(getComputedStyle(part).color)]),
        });
    };
    new MutationObserver(look).observe(document.body, {subtree: true, childList: true, attributes: true});
    document.addEventListener('count', (event) => event.detail.push(...kept));
}"""
THE_COUNT = """() => {
    const kept = [];
    document.dispatchEvent(new CustomEvent('count', {detail: kept}));
    return kept[0] ?? null;
}"""


@pytest.mark.parametrize(
    ("options", "words", "unit", "taken", "burst"),
    [
        ({}, "Minus points: the lowest score wins.", "minus point", ["bad", "--danger-ink"], "bad"),
        (POSITIVE, "Points: the highest score wins.", "point", ["good", "--good"], "good"),
    ],
)
def test_the_end_of_a_round_and_the_big_screen_tell_who_leads(
    visit: Visit, options: dict[str, Any], words: str, unit: str, taken: list[str], burst: str
) -> None:
    page, screen = where_somebody_leads(visit, {**options, "games": 2})
    at_the_table = page.evaluate(THE_COUNT)
    on_the_screen = screen.evaluate(THE_COUNT)
    for count in (at_the_table, on_the_screen):
        assert words in count["words"]
        assert all(re.match(rf"-?\d+ {unit}s?$", said) for said in count["scores"]), count
        shown = points_of(count)
        assert shown == sorted(shown, reverse=options == POSITIVE)
    assert at_the_table["scores"] == on_the_screen["scores"]
    parts = [part for part in at_the_table["parts"] if not part[0].startswith("−")]
    assert parts
    assert all([tone, colour] == taken for _, tone, colour in parts), parts
    # What was taken last rose above somebody's head.
    expect(screen.locator(".left .burst")).to_have_class(re.compile(rf"\b{burst}\b"))


def points_of(count: dict[str, Any]) -> list[int]:
    return [int(said.split()[0]) for said in count["scores"]]


def where_somebody_leads(visit: Visit, options: dict[str, Any]) -> tuple[Page, Page]:
    """The table and its big screen when the first game is counted.  What the bot chooses is not the same every time, so
    both may have the same number of points; then another game is played."""
    for practice in range(7, 10):
        page = sit_down(
            visit, "baron-oxx", DESKTOP, played=NEARLY_ALL, options=options, practice=practice
        )
        screen = page.context.new_page()
        screen.goto(page.url.replace("/table/", "/screen/"))
        expect(screen.locator("main .board .card").first).to_be_visible()
        page.evaluate(KEEP_THE_COUNT, "dialog[open]")
        screen.evaluate(KEEP_THE_COUNT, "aside.right")
        play_until_counted(page)
        screen.wait_for_function(THE_COUNT)
        if len(set(points_of(page.evaluate(THE_COUNT)))) == 2:
            return page, screen
        page.context.close()
    raise AssertionError("nobody leads after any of three games")


def play_until_counted(page: Page) -> None:
    sitting = Sitting(page)
    for _ in range(STEPS):
        page.wait_for_selector(ASKED)
        if page.evaluate(THE_COUNT):
            return
        with contextlib.suppress(TimeoutError):  # then there is a next step
            sitting.decide()
    raise AssertionError("no game ends")


@pytest.mark.parametrize(("options", "is_bad"), [({}, True), (POSITIVE, False)])
def test_taking_a_row_is_good_where_the_most_bulls_win(
    visit: Visit, options: dict[str, Any], is_bad: bool
) -> None:
    page = where_a_row_would_be_taken(visit, options)
    say = page.locator(".say")
    assert ("warn" in (say.get_attribute("class") or "")) == is_bad
    assert (page.locator("main .row.full").count() == 1) == is_bad


def where_a_row_would_be_taken(visit: Visit, options: dict[str, Any]) -> Page:
    """What the bots choose is not the same every time, so a game may end before it comes to that."""
    for practice in range(7, 13):
        page = sit_down(visit, "baron-oxx", DESKTOP, options=options, practice=practice)
        try:
            Looking(page).play_to_the_end()
        except Found:
            return page
        page.close()
    raise AssertionError("no card would take a row in six games")


class Found(Exception):
    pass


NO_LONGER_ASKED = "() => !document.querySelector('.say').innerText.startsWith('Pick a card')"


class Looking(Sitting):
    """Plays until a picked card would take a row."""

    def pick(self, index: int) -> None:
        cards = self.page.locator("[data-card][aria-disabled='false']").count()
        for card in [*range(cards), index]:
            with contextlib.suppress(TimeoutError):
                super().pick(card)
                self.page.wait_for_function(NO_LONGER_ASKED, timeout=SHORT)
            if "It would take row" in self.page.locator(".say").inner_text():
                raise Found
