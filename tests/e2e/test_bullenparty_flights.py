"""Bullenparty in the browser: cards that no event tells of fly when they go, once, and from where they lay."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.flights import Flown, flown, watch_flights
from tests.e2e.sitting import Sitting, sit_down
from tests.e2e.table import DESKTOP, MINE_NOW, Visit
from tests.patience import MS, PATIENCE, until
from tests.server.running import Player, Served, people, seated, started_table

pytestmark = pytest.mark.e2e

Json = dict[str, Any]

COUNTS = """() => {
    const counts = [];
    const look = () => {
        const shown = document.querySelector('[data-place=discard] b')?.textContent;
        if (shown && Number(shown) !== counts.at(-1)) counts.push(Number(shown));
    };
    look();
    new MutationObserver(look).observe(document.body, {subtree: true, childList: true, characterData: true});
    document.addEventListener('counted', (event) => event.detail.push(...counts));
}"""
COUNTED = """() => {
    const counts = [];
    document.dispatchEvent(new CustomEvent('counted', {detail: counts}));
    return counts;
}"""


def flights_of(page: Page, card: str, to: str) -> list[Flown]:
    return [one for one in flown(page) if one.card.startswith(f"Card {card},") and one.to == to]


def test_a_bid_is_laid_aside_when_it_is_served_and_not_again_when_a_row_is_taken(
    visit: Visit,
) -> None:
    page = sit_down(visit, "bullenparty", DESKTOP, seats=3, speed="brisk")
    watch_flights(page)
    page.evaluate(COUNTS)
    bid = page.locator(MINE_NOW).first.get_attribute("data-card") or ""
    assert bid == "2"  # so low that one may choose first
    Sitting(page, patience=MS).use_card(0)
    expect(page.locator("main .row .choose")).to_have_count(3)
    (aside,) = flights_of(page, bid, "discard")
    assert aside.origin == "tray 0"
    assert page.evaluate(COUNTED) == [0, 1]

    page.locator("main .row .choose").first.click()
    expect(
        page.locator("[data-target='new']")
    ).to_be_visible()  # all have a row, and one lays cards
    assert len(flights_of(page, bid, "discard")) == 1
    counted = page.evaluate(COUNTED)
    assert counted == [*range(len(counted))]  # one after the other, and none comes back
    assert len(counted) > 2


# -- A row that waits for a shuffle -----------------------------------------------------------------

LEFT = 3  # cards to draw, for two rows of two


class Pair:
    """Two programs that draw one card by a zero bid, so that the draw pile ends in the middle of a row; before the move
    that ends the round before, they wait until somebody watches."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.table, self.tokens = started_table(url, "bullenparty", people(2))
        self.is_near, self.is_watched, self.is_seen = Event(), Event(), Event()

    def play(self) -> None:
        asyncio.run(self._play())

    async def _play(self) -> None:
        seats = [asyncio.create_task(self._sit(seat)) for seat in range(2)]
        done, waiting = await asyncio.wait(seats, return_when=asyncio.FIRST_COMPLETED)
        for task in waiting:
            task.cancel()
        for task in done:
            task.result()

    async def _sit(self, seat: int) -> None:
        async with seated(self.url, self.table, self.tokens[seat]) as player:
            answered = -1
            while True:
                if (question := player.question) and question["number"] != answered:
                    if is_near := ends_the_round(player, seat):
                        self.is_near.set()
                        await asyncio.to_thread(self.is_watched.wait, PATIENCE)
                    bids_zero = seat == 0 and answered == -1
                    answered = question["number"]
                    action = move_of(question["moves"], bids_zero=bids_zero)
                    await player.say(type="move", decision=answered, action=action)
                    if is_near:
                        await asyncio.to_thread(self.is_seen.wait, PATIENCE)
                        return
                await player.hear()


def ends_the_round(player: Player, seat: int) -> bool:
    """By one card that is laid on a pile, with `LEFT` cards to draw then."""
    view = player.shown
    to_keep = 6  # five numbers, and the zero card
    return (
        view["phase"] == "piling"
        and view["places"]["draw"] == LEFT
        and view["facts"]["takers"][-1] == seat
        and len(view["places"][f"hand {seat}"]) == to_keep + 1
    )


def move_of(moves: list[Json], *, bids_zero: bool) -> int:
    """The first one that bids zero, or does not."""
    found: int = next(move["action"] for move in moves if (move["move"] == "bid 0") == bids_zero)
    return found


def test_a_row_that_waits_for_a_shuffle_has_its_first_card_from_the_old_draw_pile(
    visit: Visit, server: Served
) -> None:
    pair = Pair(server.url)
    with ThreadPoolExecutor(1) as other:
        playing = other.submit(pair.play)
        try:
            until(lambda: pair.is_near.is_set() or playing.done(), lambda: "they do not get there")
            page = visit(f"/table/{pair.table}", DESKTOP, speed="brisk")
            expect(page.locator("[data-place=draw] b")).to_have_text(str(LEFT))
            watch_flights(page)
            pair.is_watched.set()
            expect(page.locator("main .row").nth(1).locator("[data-flip]")).to_have_count(2)
            expect(page.locator("main .row .flying")).to_have_count(0)
        finally:
            pair.is_watched.set()
            pair.is_seen.set()
        playing.result()
    names = page.locator("main .row").nth(1).locator("[role=img]")
    first, second = (name.get_attribute("aria-label") for name in names.all())
    drawn = [one for one in flown(page) if one.to == "row 2"]
    assert drawn == [
        Flown(first or "", "draw", "row 2", lying=1),  # the last one; then it is shuffled
        Flown(second or "", "draw", "row 2", lying=2),
    ]
