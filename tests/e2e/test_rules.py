"""The rules for reading and trying: every scene of every game, in both languages."""

from __future__ import annotations

import re

import httpx
import pytest
from playwright.sync_api import expect

from bullpen.games import GAMES, about
from bullpen.text import voice
from tests.e2e.table import DESKTOP, MINE, PHONE, Visit
from tests.server.running import Served

pytestmark = pytest.mark.e2e

SHOW_ME = re.compile("^(Show me|Pokaż mi)$")


@pytest.mark.parametrize("game", GAMES)
def test_every_rule_stands_on_the_page(visit: Visit, server: Served, game: str) -> None:
    page = visit(f"/rules/{game}", PHONE)
    told = httpx.get(f"{server.url}/api/rules/{game}?lang=en").json()
    for section in told["sections"]:
        expect(page.get_by_role("heading", name=section["heading"], exact=True)).to_be_visible()
        for rule in section["rules"]:
            expect(page.locator(f"article#{rule['id']}")).to_contain_text(rule["name"])
    tries = page.get_by_role("button", name=re.compile("^Try it"))
    expect(tries).to_have_count(len(about(GAMES[game]).scenes))


@pytest.mark.parametrize("game", GAMES)
def test_options_examples_and_ages_stand_on_the_page_in_words(visit: Visit, game: str) -> None:
    """An option is called as where a table is set up, and never by what one types."""
    page = visit(f"/rules/{game}", DESKTOP)
    book = page.locator(".book")
    expect(book.locator("#options")).to_have_text("Table options")
    named = [option.name for option in GAMES[game].OPTIONS if "_" in option.name]
    assert named
    text = book.inner_text()
    assert not any(name in text for name in (*named, "counted from 0", "`"))
    expect(book.get_by_text("Memory aid", exact=True).last).to_be_visible()
    examples = book.locator("[aria-labelledby=examples] li")
    expect(examples).to_have_count(len(voice("en").rules(GAMES[game]).examples))
    for example, steps in zip(examples.all(), about(GAMES[game]).pictures, strict=True):
        lanes = [line.partition(": ")[2].split() for step in steps for line in step.split(" / ")]
        expect(example.locator("dd")).to_have_count(len(lanes))
        expect(example.locator("dd .card")).to_have_count(sum(map(len, lanes)))
        expect(example.locator("dd .come")).to_have_count(" ".join(steps).count("*"))
        labels = example.locator("dt").all_inner_texts()
        assert all(label[0].isupper() for label in labels), labels
    if age := about(GAMES[game]).age:
        expect(page.locator(".intro")).to_contain_text(f"from {age} years")


def test_who_begins_is_somebody_who_is_there(visit: Visit) -> None:
    """The seat that was chosen to begin is removed: then the first one begins."""
    page = visit("/new/hornochsen", DESKTOP)
    page.get_by_label("Who begins").select_option(index=3)
    page.get_by_role("button", name="Remove this seat").last.click()
    expect(page.get_by_label("Who begins")).to_have_value("0")
    page.get_by_role("button", name="Set up the table").click()
    page.wait_for_url("**/table/*")


@pytest.mark.parametrize("game", GAMES)
def test_every_scene_can_be_clicked_through(visit: Visit, game: str) -> None:
    """What is suggested happens, on the real rules, and leads to the end of the scene."""
    language, size = ("pl", PHONE) if len(game) % 2 else ("en", DESKTOP)
    for scene in about(GAMES[game]).scenes:
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


@pytest.mark.parametrize("size", [DESKTOP, PHONE])
def test_what_is_tried_opens_where_it_is_seen(visit: Visit, size: tuple[int, int]) -> None:
    page = visit("/rules/six-nimmt", size)
    button = page.get_by_role("button", name=re.compile("^Try it")).last
    button.evaluate("(node) => node.scrollIntoView({block: 'end'})")  # at the screen's lower edge
    button.click()
    hand = page.locator(".stage [data-card]").first
    expect(hand).to_be_in_viewport()
    expect(page.locator(".stage main, .stage .board").first).to_be_in_viewport()


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
