"""Pictures of every game and page, on a phone and on a desktop, to be looked at; and of every game a sheet with its full
table on all the screens that tests/e2e/test_sizes.py measures.

    python -m tests.e2e.shots [--keep] [words in the names of those that are wanted]

They go into .shots/; --keep also puts the best of them, packed, into docs/shots/, where README and docs show them.
"""

from __future__ import annotations

import contextlib
import sys
import tempfile
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

from PIL import Image
from playwright.sync_api import Page, TimeoutError, expect, sync_playwright

from scripts import browser
from tests.e2e.finished import finished
from tests.e2e.sitting import ASKED, CORNER, Sitting, sit_down
from tests.e2e.sizes import FULL, full_table, play_on
from tests.e2e.sizes import SIZES as SCREENS
from tests.e2e.table import BROWSER_FLAGS, DESKTOP, MINE_NOW, PHONE, Visit, resize, settle
from tests.e2e.test_axe import made_and_waiting
from tests.server.running import Served, people, served, started_table

ROOT = Path(__file__).parent.parent.parent
FOLDER, KEPT = ROOT / ".shots", ROOT / "docs" / "shots"
SIZES = {"phone": PHONE, "desktop": DESKTOP}
# The name that each has in docs/shots/.
BEST = {
    "six-nimmt-desktop": "six-nimmt",
    "six-nimmt-phone": "six-nimmt-phone",
    "hornochsen-phone": "hornochsen",
    "hornochsen-desktop": "hornochsen-desktop",
    "bullenparty-phone": "bullenparty",
    "bullenparty-desktop": "bullenparty-desktop",
    "x-nimmt-phone": "x-nimmt",
    "x-nimmt-desktop": "x-nimmt-desktop",
    "eleven-nimmt-phone": "eleven-nimmt",
    "eleven-nimmt-desktop": "eleven-nimmt-desktop",
    "baron-oxx-phone": "baron-oxx",
    "baron-oxx-desktop": "baron-oxx-desktop",
    "lobby-desktop": "lobby",
}
TALLEST, WIDE, BETWEEN = 720, 2200, 12  # px of a sheet's pictures, of a sheet, between pictures
LARGEST = 150_000  # bytes of a picture that is kept
# By game: how many seats, how many decisions before the picture, and the theme.
GAMES = {
    "six-nimmt": (4, 6, "meadow"),
    "x-nimmt": (3, 7, "dusk"),
    "baron-oxx": (5, 6, "barn"),
    "hornochsen": (4, 9, "meadow"),
    "eleven-nimmt": (4, 5, "daylight"),
    "bullenparty": (3, 8, "meadow"),
}
PAGES = {
    "lobby": ("/", ".fan .card"),
    "new-table": ("/new/x-nimmt", "form .card"),
    "cards": ("/cards/baron-oxx", "main .card"),
    "rules": ("/rules/six-nimmt", "article"),
    "rules-scene": ("/rules/x-nimmt/XN-6", ".stage [data-card]"),
    "tutorials": ("/tutorial", ".fan .card"),
    "tutorial": ("/tutorial/six-nimmt", ".bubble"),
    "statistics": ("/statistics", "main p"),
    "not-found": ("/no-such-page", "main"),
    "replay": ("/replay/{over}", "main .board"),
    "verify": ("/verify/{over}", "[data-verdict]"),
    "review": ("/review/{over}", "main h2"),
    "screen": ("/screen/{running}", "main .board"),
    "screen-waiting": ("/screen/{waiting}", ".join svg"),
}


class Shot(NamedTuple):
    name: str
    page: Page


def main(words: list[str]) -> None:
    wanted = [word for word in words if word != "--keep"]
    expect.set_options(timeout=120_000)
    FOLDER.mkdir(exist_ok=True)
    found = browser.find() or browser.get()
    with (
        tempfile.TemporaryDirectory() as folder,
        served(Path(folder), BULLPEN_MESSAGES="1000000") as server,
        sync_playwright() as playwright,
    ):
        chromium = playwright.chromium.launch(executable_path=found, args=BROWSER_FLAGS)
        visit = Visit(chromium, server.url, [])
        for shot in shots(visit, server, lambda name: wants(name, wanted)):
            settle(shot.page)
            shot.page.screenshot(path=FOLDER / f"{shot.name}.png")
            print(shot.name, flush=True)
            shot.page.context.close()
        for name, sheet in sheets(visit, lambda name: wants(name, wanted)):
            sheet.save(FOLDER / f"{name}.png")
            print(name, flush=True)
        chromium.close()
    if "--keep" in words:
        keep()


def wants(name: str, wanted: list[str]) -> bool:
    return not wanted or any(word in name for word in wanted)


def shots(visit: Visit, server: Served, wanted: Callable[[str], bool]) -> Iterator[Shot]:
    for width, size in SIZES.items():
        for game in GAMES:
            if wanted(name := f"{game}-{width}"):
                yield Shot(name, in_play(visit, game, size))
        yield from pages(visit, server, width, wanted)
        for moment, look in MOMENTS.items():
            if wanted(name := f"{moment}-{width}"):
                yield Shot(name, look(visit, size))


def in_play(visit: Visit, game: str, size: tuple[int, int]) -> Page:
    """In the middle of a game, with a card picked."""
    seats, decisions, theme = GAMES[game]
    page = sit_down(visit, game, size, seats, theme=theme)
    sitting = Sitting(page, seed=3)
    cards, made = page.locator(MINE_NOW), 0
    page.wait_for_selector(ASKED)
    while made < decisions or not cards.count() or page.locator("dialog[open]").count():
        # What was there a moment ago may be gone when it is pressed.
        with contextlib.suppress(TimeoutError):
            sitting.decide()
        made += 1
        page.wait_for_selector(ASKED)
    cards.nth(cards.count() // 2).click(position=CORNER)
    return page


def pages(
    visit: Visit, server: Served, width: str, wanted: Callable[[str], bool]
) -> Iterator[Shot]:
    names: dict[str, str] = {}
    for about, (path, shown) in PAGES.items():
        if not wanted(name := f"{about}-{width}"):
            continue
        if "{" in path and not names:
            names = {
                "over": finished(server.url, "six-nimmt"),
                "running": started_table(server.url, "six-nimmt", people(1, bots=3))[0],
                "waiting": made_and_waiting(visit("/", DESKTOP)),
            }
        page = visit(path.format(**names), SIZES[width])
        expect(page.locator(shown).first).to_be_visible()
        yield Shot(name, page)


# -- Moments of a game ----------------------------------------------------------------------------


def waiting_room(visit: Visit, size: tuple[int, int]) -> Page:
    page = visit("/new/six-nimmt", size, name="Ann")
    page.get_by_role("button", name="Set up the table").click()
    expect(page.get_by_role("img", name="QR code of the invitation")).to_be_visible()
    return page


def settings(visit: Visit, size: tuple[int, int]) -> Page:
    page = visit("/", size)
    page.get_by_role("button", name="Settings").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    return page


def round_end(visit: Visit, size: tuple[int, int]) -> Page:
    page = sit_down(visit, "six-nimmt", size, 4, options={"rounds": 2})
    return until(page, page.get_by_role("button", name="Go on").is_visible)


def result(visit: Visit, size: tuple[int, int]) -> Page:
    page = sit_down(visit, "six-nimmt", size, 4, options={"rounds": 1})
    return until(page, page.get_by_role("button", name="Play again").is_visible)


def until(page: Page, over: Callable[[], bool]) -> Page:
    sitting = Sitting(page, seed=3)
    while True:
        page.wait_for_selector(ASKED)
        if over():
            return page
        with contextlib.suppress(TimeoutError):
            sitting.decide()


MOMENTS: dict[str, Callable[[Visit, tuple[int, int]], Page]] = {
    "waiting-room": waiting_room,
    "settings": settings,
    "round-end": round_end,
    "result": result,
}


# -- A sheet of every game ------------------------------------------------------------------------


def sheets(visit: Visit, wanted: Callable[[str], bool]) -> Iterator[tuple[str, Image.Image]]:
    for game in FULL:
        if not wanted(name := f"sizes-{game}"):
            continue
        page = full_table(visit, game, DESKTOP)
        play_on(page, FULL[game].decisions)
        page.locator(MINE_NOW).first.press("Space")
        yield name, side_by_side([picture(page, size) for size in SCREENS.values()])
        page.context.close()


def picture(page: Page, size: tuple[int, int]) -> Image.Image:
    resize(page, size)
    taken = Image.open(BytesIO(page.screenshot(full_page=True))).convert("RGB")
    taken.thumbnail((10 * TALLEST, TALLEST))
    return taken


def side_by_side(pictures: list[Image.Image]) -> Image.Image:
    """In lines, none longer than the sheet is wide."""
    places, x, y, line = [], 0, 0, 0
    for one in pictures:
        if x and x + one.width > WIDE:
            x, y, line = 0, y + line + BETWEEN, 0
        places.append((x, y))
        x, line = x + one.width + BETWEEN, max(line, one.height)
    sheet = Image.new("RGB", (WIDE, y + line), "white")
    for one, place in zip(pictures, places, strict=True):
        sheet.paste(one, place)
    return sheet


# -- The best of them -----------------------------------------------------------------------------


def keep() -> None:
    KEPT.mkdir(parents=True, exist_ok=True)
    for shot, name in BEST.items():
        with Image.open(FOLDER / f"{shot}.png") as picture:
            picture.convert("RGB").save(KEPT / f"{name}.webp", quality=82, method=6)
        size = (KEPT / f"{name}.webp").stat().st_size
        assert size < LARGEST, f"{name} has {size} bytes"
        print(f"docs/shots/{name}.webp: {size / 1000:.0f} kB")


if __name__ == "__main__":
    main(sys.argv[1:])
