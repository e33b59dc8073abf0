"""The table on every screen, measured: every game with all its seats taken, on ten screens, from the boxes of what is
there.  No card is too narrow to be read, nothing is cut, nothing lies over something else."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Iterable

import pytest
from playwright.sync_api import Page, TimeoutError, WebSocketRoute, expect

from bullpen.languages import LANGUAGES
from tests.e2e.finished import finished
from tests.e2e.sitting import ASKED, Sitting, sit_down
from tests.e2e.sizes import (
    FULL,
    SCROLLED,
    SIZES,
    faults_of_page,
    faults_of_table,
    full_table,
    play_on,
)
from tests.e2e.table import MINE_NOW, Visit, expect_table, fits, resize
from tests.e2e.test_axe import made_and_waiting
from tests.server.running import Served

pytestmark = pytest.mark.e2e

NARROW, LOW = (320, 568), (667, 375)
LITTLE = ("small phone", "small phone sideways", "laptop at 200 %", "laptop")
OPEN_CHOICE = "main .rows .choose"
# Where words may lie on a row: on no card of it.
COVERED = """() => [...document.querySelectorAll('main .rows .row')].flatMap((row) => {
    const word = row.querySelector('.choose > *')?.getBoundingClientRect();
    return !word ? [] : [...row.querySelectorAll('.card')].filter((card) => {
        const box = card.getBoundingClientRect();
        return Math.min(box.right, word.right) - Math.max(box.left, word.left) > 2
            && Math.min(box.bottom, word.bottom) - Math.max(box.top, word.top) > 2;
    }).map((card) => card.ariaLabel);
})"""


# Those of which a part is seen, and a part is not.
CUT_PHRASES = """() => {
    const edge = document.querySelector('.phrases').getBoundingClientRect();
    return [...document.querySelectorAll('.phrases button')].filter((one) => {
        const {top, bottom} = one.getBoundingClientRect();
        return top < edge.bottom - 1 && bottom > edge.bottom + 1;
    }).map((one) => one.innerText);
}"""


def look_at(page: Page, moment: str, names: Iterable[str] = SIZES) -> None:
    found = []
    for name in names:
        size = SIZES[name]
        resize(page, size)
        found += [f"{moment}, {name} {size}: {fault}" for fault in faults_of_table(page)]
        if size not in SCROLLED and not fits(page):
            found.append(f"{moment}, {name} {size}: has to be scrolled")
    assert not found, "\n".join(found)


@pytest.mark.parametrize("game", FULL)
def test_a_full_table_can_be_read_on_every_screen(visit: Visit, game: str) -> None:
    page = full_table(visit, game, SIZES["laptop"])
    look_at(page, "the beginning")
    resize(page, SIZES["laptop"])
    play_on(page, FULL[game].decisions)
    look_at(page, "later")
    if page.locator(MINE_NOW).count():
        page.locator(MINE_NOW).first.press("Space")
        look_at(page, "with a card picked", LITTLE)
        resize(page, LOW)
        for card in page.locator(MINE_NOW).all():
            card.press("Space")
            assert fits(page), page.locator(".say").inner_text()


def test_a_hand_of_fifteen_shows_its_numbers_on_a_wide_screen(visit: Visit) -> None:
    """No bot has to be waited for: what the server says of the hand is changed on its way."""
    many = list(range(2, 107, 7))

    def with_many(frame: str | bytes) -> str | bytes:
        told = json.loads(frame)
        view = told if told["type"] == "view" else told.get("view")
        if view:
            view["places"]["hand 0"] = many
        return json.dumps(told)

    def between(page_side: WebSocketRoute) -> None:
        server_side = page_side.connect_to_server()
        server_side.on_message(lambda frame: page_side.send(with_many(frame)))

    page = sit_down(visit, "six-nimmt", SIZES["laptop"], seats=4)
    page.emulate_media(reduced_motion="reduce")
    page.route_web_socket(re.compile("/socket"), between)
    page.reload()
    expect_table(page)
    expect(page.locator("[data-card]")).to_have_count(len(many))
    look_at(page, "fifteen cards", ("laptop", "desktop", "large desktop"))


@pytest.mark.parametrize(
    ("game", "word"),
    [("six-nimmt", "Take"), ("x-nimmt", "Collect")],
)
def test_what_is_said_of_a_row_covers_no_card_that_one_chooses_between(
    visit: Visit, game: str, word: str
) -> None:
    page = sit_down(visit, game, SIZES["laptop"], seats=4)
    play_lowest_until(page, OPEN_CHOICE)
    for size in SIZES.values():
        resize(page, size)
        assert page.evaluate(COVERED) == [], size
    expect(page.locator(OPEN_CHOICE).first).to_have_text(re.compile(rf"^{word}\s*\d+$"))


def play_lowest_until(page: Page, wanted: str) -> None:
    """The lowest card is sooner or later lower than every row."""
    sitting = Sitting(page)
    for _ in range(30):
        page.wait_for_selector(f"{ASKED}, {wanted}")
        if page.locator(wanted).count():
            return
        with contextlib.suppress(TimeoutError):  # the table has gone on: then there is a next step
            if page.locator("dialog[open]").count() or not page.locator(MINE_NOW).count():
                sitting.decide()
            else:
                sitting.use_card(0)
    raise AssertionError(f"{wanted} was never to be seen")


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_page_is_cut_on_a_narrow_or_a_low_screen(
    visit: Visit, server: Served, language: str
) -> None:
    over = finished(server.url, "six-nimmt")
    page = visit("/", NARROW, language=language)
    page.emulate_media(reduced_motion="reduce")
    found = []
    for path, shown in {
        "/": ".fan .card",
        f"/table/{made_and_waiting(page)}": ".room .phrases",
        "/mine": "main .acts",
        "/me": "main output, main .danger",
        "/statistics": "main p",
        "/no-such-page": "main nav a",
        "/new/x-nimmt": "form .card",
        "/rules/six-nimmt": "article",
        "/rules/x-nimmt/XN-6": ".stage [data-card]",
        "/tutorial": ".fan .card",
        "/tutorial/six-nimmt": ".bubble",
        "/cards/baron-oxx": "main .card",
        f"/replay/{over}": "main .board",
        f"/review/{over}": "main h2",
        f"/verify/{over}": "[data-verdict]",
    }.items():
        page.goto(visit.url + path)
        expect(page.locator(shown).first).to_be_visible()
        page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")
        for size in (NARROW, LOW):
            resize(page, size)
            found += [f"{path} {size}: {fault}" for fault in faults_of_page(page)]
    assert not found, "\n".join(found)


def test_the_result_is_not_cut(visit: Visit) -> None:
    page = sit_down(visit, "x-nimmt", SIZES["laptop"], seats=4, played=10, options={"rounds": 1})
    page.emulate_media(reduced_motion="reduce")
    Sitting(page, seed=3).play_to_the_end()
    for size in (NARROW, LOW):
        resize(page, size)
        assert faults_of_page(page) == [], size


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_quick_phrase_is_cut_in_the_middle_of_its_line(visit: Visit, language: str) -> None:
    page = visit("/", SIZES["phone"], language=language)
    page.goto(f"{visit.url}/table/{made_and_waiting(page)}")
    expect(page.locator(".phrases button").first).to_be_visible()
    for size in SIZES.values():
        resize(page, size)
        assert page.evaluate(CUT_PHRASES) == [], size


@pytest.mark.parametrize("size", [SIZES["tiny phone"], SIZES["laptop"]])
def test_a_switch_is_drawn_by_the_page_and_shows_whether_it_is_on(
    visit: Visit, size: tuple[int, int]
) -> None:
    page = visit("/new/six-nimmt", size)
    switch = page.get_by_role("checkbox", name="Memory aid")
    look = "(one) => [getComputedStyle(one).appearance, getComputedStyle(one).backgroundColor]"
    off = switch.evaluate(look)
    switch.check()
    on = switch.evaluate(look)
    assert off[0] == on[0] == "none"
    assert off[1] != on[1]
