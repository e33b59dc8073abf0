"""What a person does at a table in the browser."""

from __future__ import annotations

import contextlib
import json
import re
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, TimeoutError, expect

from tests.patience import MS

BROWSER_FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PHONE, SMALL_PHONE, TABLET, DESKTOP = (390, 844), (360, 640), (820, 1180), (1280, 800)
# ms for something that may be gone by now, where there is a next step then; nothing is judged by it.
SHORT = 4000.0
MINE = '[aria-disabled="false"]'  # a card of the hand that may be played
# One is asked, and has not answered: who has laid a card in secret may lay another one until all have chosen, and would
# do so again and again while the others are slow.
UNANSWERED = ".app:has(.say.on)"
MINE_NOW = f"{UNANSWERED} [data-card]{MINE}"


class Visit:
    """Opens a page as a device of its own, and keeps what the browser complains about."""

    def __init__(
        self, browser: Browser, url: str, made: list[tuple[BrowserContext, Page, list[str]]]
    ) -> None:
        self.browser, self.url, self.made = browser, url, made
        self.pardoned: list[str] = []  # words of complaints that a test has asked for

    def __call__(
        self,
        path: str = "/",
        size: tuple[int, int] = PHONE,
        language: str = "en",
        speed: str = "instant",
        **settings: Any,
    ) -> Page:
        is_phone = size[0] < 700
        context = self.browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            locale=language,
            has_touch=is_phone,
            device_scale_factor=2 if is_phone else 1,
        )
        context.add_init_script(remember({"speed": speed, **settings}))
        context.set_default_timeout(MS)
        page = context.new_page()
        complaints: list[str] = []
        page.on("pageerror", lambda error: complaints.append(f"error: {error}"))
        page.on(
            "console",
            lambda line: (
                complaints.append(f"{line.text} ({line.location['url']})")
                if line.type in ("error", "warning")
                else None
            ),
        )
        self.made.append((context, page, complaints))
        page.goto(self.url + path)
        return page


def remember(settings: dict[str, Any]) -> str:
    """As if this device had chosen its settings before."""
    told = json.dumps(json.dumps(settings))
    return f"localStorage.getItem('bullpen.settings') ?? localStorage.setItem('bullpen.settings', {told})"


def play_now(page: Page, title: str) -> None:
    """From the first page to a running game against bots: one click."""
    page.get_by_role("button", name=f"Play now: {title}, against bots", exact=True).click()
    expect_table(page)


def expect_table(page: Page) -> None:
    """Hand and board: the board is fetched by itself, and may come after the hand."""
    expect(page.locator("[data-card]").first).to_be_visible()
    expect(page.locator("main .board")).to_be_visible()


def fits(page: Page) -> bool:
    """Nothing has to be scrolled to.  A page that was shown before its letters were there may be longer until they are."""
    found = page.evaluate(
        """async () => {
            await document.fonts.ready;
            const {scrollHeight, scrollWidth} = document.documentElement;
            return [scrollHeight <= innerHeight, scrollWidth <= innerWidth];
        }"""
    )
    return bool(all(found))


def resize(page: Page, size: tuple[int, int]) -> None:
    """As if the table were opened on another screen."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    settle(page)


def settle(page: Page) -> None:
    """Letters are there, cards have landed, and what is measured to find its size has been measured."""
    page.evaluate("document.fonts.ready.then(() => true)")
    page.wait_for_function(
        """() => document.getAnimations().every((one) =>
            one.playState !== 'running' || one.effect.getComputedTiming().iterations === Infinity)"""
    )
    page.evaluate(
        "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
    )


def step(page: Page, patience: float = MS) -> bool:
    """Make one decision if there is one to make, within so many milliseconds; whether the game goes on."""
    result = page.get_by_role("dialog").get_by_role("button", name="Play again")
    go_on = page.get_by_role("button", name="Go on")
    choose = page.locator("main button:enabled")
    card = page.locator(MINE_NOW).first
    page.wait_for_function(
        "(what) => document.querySelector(what)",
        arg=f"dialog[open], main button:enabled, {MINE_NOW}",
        timeout=patience,
    )
    if result.is_visible():
        return False
    # What was there a moment ago may be gone when it is clicked: then there is a next step.
    with contextlib.suppress(TimeoutError):
        if go_on.is_visible():
            go_on.click(timeout=SHORT)
        elif choose.count():
            choose.first.click(timeout=SHORT)
        elif card.count():
            if (
                card.get_attribute("aria-pressed", timeout=SHORT) != "true"
            ):  # a second tap lays it back
                card.click(timeout=SHORT)
            # Of the hand: in the dialog of a game that is over by now stands “Play again”.
            play = page.locator("footer").get_by_role("button", name=re.compile("^Play "))
            play.click(timeout=SHORT)
    return True
