"""The table in the browser: how much there is to fetch, how soon it is seen, whether it stands still, how it flies.

In a real Chromium at a real server on this machine; frames are counted in the browser's own trace.
"""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from playwright.sync_api import Browser, Page, TimeoutError, sync_playwright

from scripts import browser, web
from tests.e2e.sitting import ASKED, Sitting, sit_down
from tests.e2e.table import BROWSER_FLAGS, DESKTOP, PHONE, Visit
from tests.server.running import served

VISITS, TURNS = 5, 4
GAMES = ("six-nimmt", "hornochsen")  # few cards at once, and many
SIZES = {"phone": PHONE, "desktop": DESKTOP}
PAGES = {
    "/": ".fan .card",
    "/new/six-nimmt": "form .card",
    "/rules/six-nimmt": "article",
    "/cards/baron-oxx": "main .card",
}
FRAMES = ["disabled-by-default-devtools.timeline.frame", "blink.animations", "devtools.timeline"]
# Only what moves by itself counts as a shift; what moves because somebody clicked was wanted.
WATCH = """
    window.seen = {shift: 0, largest: 0};
    new PerformanceObserver((list) => list.getEntries().forEach((one) => { if (!one.hadRecentInput) seen.shift += one.value; }))
        .observe({type: 'layout-shift', buffered: true});
    new PerformanceObserver((list) => list.getEntries().forEach((one) => { seen.largest = one.startTime; }))
        .observe({type: 'largest-contentful-paint', buffered: true});
"""


def lines() -> Iterator[str]:
    web.build()
    load = os.getloadavg()[0]
    weights = ", ".join(f"{size / 1000:.1f} kB ({name})" for name, size in web.weights().items())
    yield ""
    yield "### The table in the browser"
    yield ""
    yield f"The whole client, packed, in one language: {weights}. Machine load {load:.1f} before."
    found = browser.find() or browser.get()
    with (
        tempfile.TemporaryDirectory() as folder,
        served(Path(folder)) as server,
        sync_playwright() as playwright,
    ):
        chromium = playwright.chromium.launch(executable_path=found, args=BROWSER_FLAGS)
        yield from first_views(chromium, server.url)
        yield from flights(chromium, server.url)
        chromium.close()


# -- Seen, and standing still ---------------------------------------------------------------------


def first_views(chromium: Browser, url: str) -> Iterator[str]:
    yield ""
    yield f"First view with nothing in the cache: largest paint in ms, median and worst of {VISITS}; layout shift (CLS)."
    yield ""
    yield "| page | size | median | worst | shift |"
    yield "|---|---|---:|---:|---:|"
    for path, shown in PAGES.items():
        for name, size in SIZES.items():
            seen = [first_view(chromium, url + path, shown, size) for _ in range(VISITS)]
            painted = [one["largest"] for one in seen]
            shift = max(one["shift"] for one in seen)
            yield f"| {path} | {name} | {median(painted):.0f} | {max(painted):.0f} | {shift:.3f} |"


def first_view(chromium: Browser, url: str, shown: str, size: tuple[int, int]) -> dict[str, float]:
    context = chromium.new_context(viewport={"width": size[0], "height": size[1]})
    context.add_init_script(WATCH)
    page = context.new_page()
    page.goto(url, wait_until="networkidle")
    page.wait_for_selector(shown)
    page.evaluate("document.fonts.ready")
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 100)))")
    seen: dict[str, float] = page.evaluate("seen")
    context.close()
    return seen


# -- Flying ---------------------------------------------------------------------------------------


class Flown(NamedTuple):
    seconds: float
    frames: int
    longest: float  # ms between two frames


def flights(chromium: Browser, url: str) -> Iterator[str]:
    yield ""
    yield f"Frames drawn while cards fly, in {TURNS} turns at the usual speed, from the trace:"
    yield ""
    yield "| game | size | flying s | frames/s | longest gap ms |"
    yield "|---|---|---:|---:|---:|"
    for game in GAMES:
        for name, size in SIZES.items():
            flown = turns(chromium, url, game, size)
            rate = flown.frames / flown.seconds
            yield f"| {game} | {name} | {flown.seconds:.1f} | {rate:.1f} | {flown.longest:.0f} |"


def turns(chromium: Browser, url: str, game: str, size: tuple[int, int]) -> Flown:
    page = sit_down(Visit(chromium, url, []), game, size, seats=4, speed="normal")
    chromium.start_tracing(page=page, categories=FRAMES)
    sitting = Sitting(page)
    for _ in range(TURNS):
        at_rest(page)
        with contextlib.suppress(
            TimeoutError
        ):  # a card that lies under another one: the next turn, then
            sitting.decide()
    at_rest(page)
    trace = json.loads(chromium.stop_tracing())["traceEvents"]
    page.context.close()
    return counted(trace)


def at_rest(page: Page) -> None:
    page.wait_for_selector(ASKED, timeout=60_000)
    page.wait_for_function("() => document.getAnimations().every((one) => one.id !== 'fly')")


def counted(trace: list[dict[str, Any]]) -> Flown:
    spans = [*flying(trace)]
    drawn = sorted(event["ts"] for event in trace if event["name"] == "DrawFrame")
    inside = [[at for at in drawn if start <= at <= end] for start, end in spans]
    gaps = [
        later - earlier
        for (start, end), at in zip(spans, inside, strict=True)
        for earlier, later in pairwise([start, *at, end])
    ]
    seconds = sum(end - start for start, end in spans) / 1e6
    return Flown(seconds, sum(map(len, inside)), max(gaps) / 1000)


def flying(trace: list[dict[str, Any]]) -> Iterator[tuple[float, float]]:
    """The times, in microseconds, at which at least one card is on its way."""
    begun, up = 0.0, set[str]()
    for event in sorted(trace, key=lambda one: one.get("ts", 0)):
        if event["name"] != "Animation" or event["ph"] not in "be":
            continue
        card = event["id2"]["local"]
        # What scripts have begun has no name in the trace: those are the flights, all else is the styles'.
        if event["ph"] == "b" and event["args"]["data"]["displayName"] == "":
            begun = begun if up else event["ts"]
            up.add(card)
        elif event["ph"] == "e" and card in up:
            up.discard(card)
            if not up:
                yield begun, event["ts"]
