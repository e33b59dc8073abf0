"""The rules for reading and trying: every scene of every game, in both languages."""

from __future__ import annotations

import re

import httpx
import pytest
from playwright.sync_api import expect

from bullpen.server.rulebook import SCENES
from tests.e2e.table import DESKTOP, MINE, PHONE, Visit
from tests.server.running import Served

pytestmark = pytest.mark.e2e

SHOW_ME = re.compile("^(Show me|Pokaż mi)$")


@pytest.mark.parametrize("game", SCENES)
def test_every_rule_stands_on_the_page(visit: Visit, server: Served, game: str) -> None:
    page = visit(f"/rules/{game}", PHONE)
    told = httpx.get(f"{server.url}/api/rules/{game}?lang=en").json()
    for section in told["sections"]:
        expect(page.get_by_role("heading", name=section["heading"], exact=True)).to_be_visible()
        for rule in section["rules"]:
            expect(page.locator(f"article#{rule['id']}")).to_contain_text(rule["name"])
    assert page.get_by_role("button", name=re.compile("^Try it")).count() == len(SCENES[game])


@pytest.mark.parametrize("game", SCENES)
def test_every_scene_can_be_clicked_through(visit: Visit, game: str) -> None:
    """What is suggested happens, on the real rules, and leads to the end of the scene."""
    language, size = ("pl", PHONE) if len(game) % 2 else ("en", DESKTOP)
    for scene in SCENES[game]:
        page = visit(f"/rules/{game}/{scene.rule}", size, language=language)
        stage = page.locator(".stage")
        show_me = stage.get_by_role("button", name=SHOW_ME)
        for _ in scene.moves:
            before = stage.locator(".told p").all_inner_texts()
            show_me.click()
            page.wait_for_function(
                """(before) => JSON.stringify(before) !== JSON.stringify(
                    [...document.querySelectorAll('.stage .told p')].map((line) => line.innerText))""",
                arg=before,
            )
        expect(show_me).to_have_count(0)


def test_a_reader_may_do_something_else_and_start_over(visit: Visit) -> None:
    page = visit("/rules/six-nimmt/SN-5", DESKTOP)
    stage = page.locator(".stage")
    cards = stage.locator(f"[data-card]{MINE}")
    expect(cards.first).to_be_visible()
    held = cards.count()
    cards.last.click()
    stage.get_by_role("button", name=re.compile("^Play ")).click()
    expect(stage.locator("[data-card]")).to_have_count(held - 1)
    expect(stage.locator(".told")).to_contain_text("add")
    stage.get_by_role("button", name="Start over").click()
    expect(stage.locator("[data-card]")).to_have_count(held)
