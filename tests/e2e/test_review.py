"""What the coach says of a finished game, and the way from a mistake to its position."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.finished import finished
from tests.e2e.sitting import sit_down
from tests.e2e.sizes import faults_of_table
from tests.e2e.table import DESKTOP, PHONE, Visit, fits, resize
from tests.server.running import Served

pytestmark = pytest.mark.e2e

PATIENCE = 280_000.0  # ms: the coach may have to be compiled first


def test_a_mistake_leads_to_its_position(visit: Visit, server: Served) -> None:
    page = visit(f"/review/{finished(server.url, 'six-nimmt')}", DESKTOP)
    expect(page.locator(".balance")).to_be_visible(timeout=PATIENCE)
    expect(page.get_by_role("img", name=re.compile("Expected lead"))).to_be_visible()
    mistake = page.locator(".mistakes li").first  # two programs played just anything
    played = mistake.locator("p", has_text="Played:").inner_text().removeprefix("Played: ")
    mistake.get_by_text("All candidates").click()
    expect(mistake.locator(".candidates li").nth(1)).to_be_visible()
    expect(mistake.locator(".candidates")).to_contain_text("played")
    better = mistake.locator("p", has_text="Better:").inner_text()
    expect(mistake.locator(".grade")).to_contain_text(re.compile(r"decision \d+ of \d+"))
    mistake.get_by_role("link", name="Look at the position").click()
    expect(page.locator("main .board")).to_be_visible()
    expect(page.locator(".advice")).to_contain_text(f"{played} · {better}")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".right")).to_contain_text(played)


def test_deal_play_and_skill_add_up_to_the_result(visit: Visit, server: Served) -> None:
    page = visit(f"/review/{finished(server.url, 'six-nimmt')}", PHONE, language="pl")
    expect(page.locator(".balance")).to_be_visible(timeout=PATIENCE)
    for seat in ("0", "1"):
        page.locator("main select").select_option(seat)
        shown = page.locator(".balance b").all_inner_texts()
        *parts, whole = [float(text.replace("−", "-").replace(",", ".")) for text in shown]
        assert abs(sum(parts) - whole) < 0.2  # each is rounded to a tenth


def test_the_coach_tells_what_each_candidate_is_worth(visit: Visit) -> None:
    page = visit("/tutorial/six-nimmt", DESKTOP)
    page.get_by_role("tab", name="Coach").click()
    page.get_by_role("button", name="What would the coach play?").click()
    candidates = page.locator(".coach .candidates li")
    expect(candidates.first).to_be_visible(timeout=PATIENCE)
    expect(candidates).to_have_count(10)
    expect(candidates.first).to_contain_text("best")
    said = re.search(r"\d+", page.locator(".coach .says").inner_text())
    assert said
    advised = page.locator(f"[data-card='{said[0]}']")
    expect(advised).to_have_count(1)
    page.get_by_role("button", name="Do that").click()
    expect(advised).to_have_count(0)
    expect(page.locator("[data-card]")).to_have_count(9)


BESIDE = {
    "phone": (390, 844),
    "small phone": (360, 640),
    "sideways": (844, 390),
    "tablet": (768, 1024),
}
OVER_THE_TABLE = """() => {
    const boxOf = (node) => node.getBoundingClientRect();
    const panel = boxOf(document.querySelector('.coaching'));
    const over = (box) => Math.min(box.right, panel.right) - Math.max(box.left, panel.left) > 1
        && Math.min(box.bottom, panel.bottom) - Math.max(box.top, panel.top) > 1;
    return [...document.querySelectorAll('main .board, .hand > li, .say, .acts > *, .app > header')]
        .filter((node) => over(boxOf(node))).map((node) => node.className || node.tagName);
}"""


def test_the_coach_stands_beside_the_table_and_not_over_it(visit: Visit) -> None:
    """On screens without a side column: board and hand stay in sight, and the card is marked."""
    page = sit_down(visit, "six-nimmt", BESIDE["phone"], seats=4, coach=True)
    page.emulate_media(reduced_motion="reduce")
    page.get_by_role("button", name="Coach").click()
    expect(page.locator(".coaching .says")).to_be_visible(timeout=PATIENCE)
    for name, size in BESIDE.items():
        resize(page, size)
        assert page.evaluate(OVER_THE_TABLE) == [], name
        assert fits(page), name
        assert faults_of_table(page) == [], name
        expect(page.locator(".coaching .says")).to_be_in_viewport()
        expect(page.locator(".coaching").get_by_role("button", name="Do that")).to_be_in_viewport(
            ratio=0.9
        )
        expect(page.locator(".hand .advised [data-card]")).to_be_in_viewport()
    page.locator(".coaching").get_by_role("button", name="Do that").click()
    expect(page.locator(".coaching")).to_have_count(0)
    expect(page.locator(".seats .seat").first).to_be_visible()
