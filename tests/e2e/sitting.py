"""A person at a table whose turns have several steps: by mouse, or by keys alone."""

from __future__ import annotations

import asyncio
import contextlib
import time
from random import Random
from typing import Any

from playwright.sync_api import Locator, Page, Position, TimeoutError, expect

from bullpen.server.cookies import SEAT
from tests.e2e.finished import beside
from tests.e2e.table import MINE_NOW, SHORT, UNANSWERED, Visit, expect_table, fits
from tests.patience import until
from tests.server.running import seated

CORNER: Position = {"x": 7.0, "y": 24.0}  # of a card: the rest may lie under its neighbour
# Where a card can be touched: in a full hand it is turned, and mostly under its neighbours.
IN_SIGHT = """(card) => {
    const box = card.getBoundingClientRect();
    for (let y = 3; y < box.height; y += 6)
        for (let x = 3; x < box.width; x += 3) {
            const top = document.elementFromPoint(box.x + x, box.y + y);
            if (card.contains(top)) return {x, y};
        }
    return null;
}"""
WHERE_IT_LIES = (
    "(card) => [card.dataset.card, [...document.querySelectorAll('[data-card]')].indexOf(card)]"
)
WHERE_I_AM = (
    "(({dataset, ariaPressed}) => [dataset.card, ariaPressed === 'true'])(document.activeElement)"
)
PICKED = '[data-card][aria-pressed="true"]'
PLACE = "main .choose"
# “Skip” goes by itself when the cards have landed.
PLAIN = f"{UNANSWERED} footer .acts .ghost:not(.skip)"
ASKED = f"dialog[open], {PLACE}, {MINE_NOW}, {PLAIN}"
A_MOMENT = 2000.0  # ms, after which another spot is looked for
STEPS = 400  # far more than a game has


def sit_down(
    visit: Visit, game: str, size: tuple[int, int], seats: int = 2, played: int = 0, **wishes: Any
) -> Page:
    """At a table against bots with known cards, started; so many decisions of the seat were made before."""
    told = {name: wishes.pop(name) for name in ("language", "theme", "speed") if name in wishes}
    page = visit("/", size, **told)
    table = page.evaluate(
        """async (wish) => {
            const post = (path, body) => fetch('/api' + path, {method: 'POST', headers: {'content-type': 'application/json'}, body: JSON.stringify(body)});
            const made = await (await post('/tables', wish)).json();
            await post(`/tables/${made.table}/start`, {});
            return made.table;
        }""",
        {
            "game": game,
            "name": "Ann",
            "seats": [{"kind": "person"}, *[{"kind": "bot", "level": "easy"}] * (seats - 1)],
            "clock": None,
            "practice": 7,
            **wishes,
        },
    )
    if played:
        (token,) = [
            cookie["value"]
            for cookie in page.context.cookies(f"{visit.url}/api/tables/{table}/socket")
            if cookie["name"] == SEAT
        ]
        beside(lambda: asyncio.run(play_on(visit.url, table, token, played)))
    page.goto(f"{visit.url}/table/{table}")
    expect_table(page)
    return page


async def play_on(url: str, table: str, token: str, decisions: int) -> None:
    async with seated(url, table, token) as player:
        for _ in range(decisions):
            while player.question is None:
                await player.hear()
            assert (await player.move())["type"] == "accepted"
            player.view = None  # the next question comes with the next view


class Sitting:
    """Plays on, whatever is asked, and looks whether the screen always says what to do.

    Has `patience` (ms) with what may be gone when it is pressed; where nothing can go, a test has more of it."""

    def __init__(self, page: Page, seed: int = 0, patience: float = SHORT) -> None:
        self.page, self.rng, self.patience = page, Random(seed), patience
        self.said: set[str] = set()

    def play_to_the_end(self) -> None:
        for _ in range(STEPS):
            self.page.wait_for_selector(ASKED)
            if self.is_over():
                return
            # What was there a moment ago may be gone when it is pressed: then there is a next step.
            with contextlib.suppress(TimeoutError):
                self.decide()
        raise AssertionError("the game does not end")

    def is_over(self) -> bool:
        dialog = self.page.get_by_role("dialog")
        return dialog.get_by_role("button", name="Play again").is_visible()

    def look(self) -> None:
        assert fits(self.page)
        say = self.page.locator(".say")
        if self.page.locator(MINE_NOW).count() or self.page.locator(PLACE).count():
            expect(say, "it is not said what to do").not_to_be_empty()
        self.said.add(say.inner_text())

    def decide(self) -> None:
        self.look()
        page = self.page
        cards, places, plain = (page.locator(what) for what in (MINE_NOW, PLACE, PLAIN))
        if page.locator("dialog[open]").count():
            if not self.is_over():  # as it may be since a moment: then this would be the next game
                self.press("dialog[open] .go")
        elif mine := cards.count():
            self.use_card(self.rng.randrange(mine))
        elif places.count():
            self.use_place()
        elif plain.count():
            self.press(PLAIN)

    def use_card(self, index: int) -> None:
        """Pick it; then it is played by the button, or where several places are possible by one of them."""
        self.pick(index)
        self.look()
        if self.page.locator("footer .go").is_enabled(timeout=self.patience):
            self.press("footer .go")
        elif self.page.locator(PICKED).count():
            self.use_place()
        # Else the table has gone on, and has laid it back: then there is a next step.

    def use_place(self) -> None:
        self.press(PLACE, self.rng.randrange(max(1, self.page.locator(PLACE).count())))
        if self.page.locator(".armed .choose").count():  # it wants to be said twice
            self.look()
            self.press(".armed .choose")

    # By mouse; `ByKeys` does the same by keys.

    def pick(self, index: int) -> None:
        card = self.page.locator(MINE_NOW).nth(index)
        given_up = time.monotonic() + self.patience / 1000
        while card.get_attribute("aria-pressed", timeout=self.patience) != "true":
            spot = until(lambda: self.touchable(card), lambda: "no part of a card can be touched")
            try:
                return card.click(position=spot, timeout=min(A_MOMENT, self.patience))
            except TimeoutError:  # found while cards moved, it may lie under another one now
                if time.monotonic() > given_up:
                    raise
        return None

    def touchable(self, card: Locator) -> Position | None:
        """Where; nowhere, while cards fly."""
        if self.page.locator("dialog[open]").count():
            raise TimeoutError("the table has gone on")
        spot: Position | None = card.evaluate(IN_SIGHT, timeout=self.patience)
        return spot

    def press(self, what: str, index: int = 0) -> None:
        self.page.locator(what).nth(index).click(timeout=self.patience)


NOWHERE = "document.activeElement === document.body"


class ByKeys(Sitting):
    """Once something has been pressed, the keys are never lost again: nobody has to look for the table anew."""

    has_begun = False

    def decide(self) -> None:
        if self.has_begun:
            until(
                lambda: not self.page.evaluate(NOWHERE),
                lambda: "nothing has the focus where one plays",
            )
        super().decide()

    def pick(self, index: int) -> None:
        card = self.page.locator(MINE_NOW).nth(index)
        wanted, place = card.evaluate(WHERE_IT_LIES, timeout=self.patience)
        self.tab_to("[data-card]")
        self.page.keyboard.press("Home")
        for _ in range(place):
            self.page.keyboard.press("ArrowRight")
        found, is_pressed = self.page.evaluate(WHERE_I_AM)
        if found != wanted:
            raise TimeoutError(f"card {wanted} lies elsewhere by now")
        if not is_pressed:
            self.page.keyboard.press("Space")
        self.has_begun = True

    def press(self, what: str, index: int = 0) -> None:
        self.tab_to(what, index)
        self.page.keyboard.press("Enter")
        self.has_begun = True

    def tab_to(self, what: str, index: int = 0) -> None:
        for _ in range(120):
            if self.page.evaluate(
                """([what, index]) => {
                    const found = [...document.querySelectorAll(what)];
                    const at = document.activeElement;
                    return what === '[data-card]' ? found.includes(at) : found[index] === at;
                }""",
                [what, index],
            ):
                return
            self.page.keyboard.press("Tab")
        raise TimeoutError(f"{what} cannot be reached by Tab")
