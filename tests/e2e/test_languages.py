"""Every language is complete: no key, no placeholder, and no English on a page in another language."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from bullpen.games import GAMES
from bullpen.languages import LANGUAGES
from tests.e2e.finished import finished
from tests.e2e.sitting import sit_down
from tests.e2e.table import DESKTOP, Visit
from tests.e2e.test_axe import PAGES, made_and_waiting
from tests.server.running import Served, people, started_table

pytestmark = pytest.mark.e2e

KEY = re.compile(
    r"\b(common|lobby|mine|table|games|replay|review|rules|tutorial)\.[a-z]+_?[a-z_]*\b"
)
ENGLISH = re.compile(r"\b(the|and|with|your|you|cards|of|is)\b", re.IGNORECASE)
POLISH = re.compile(r"[ąęłńśźż]", re.IGNORECASE)
SHORT = 200  # letters: so few may have no Polish one among them
# Besides the pages that axe judges: the rules of every game, and the room in which one waits.
MORE = {f"/rules/{game}": "article" for game in GAMES} | {"/table/{waiting}": ".room"}
# All that is read: on the screen, and by those who listen.
READ = """() => document.body.innerText + ' ' + [...document.querySelectorAll('[aria-label], [title], [aria-valuetext]')]
    .flatMap((node) => ['aria-label', 'title', 'aria-valuetext'].map((name) => node.getAttribute(name) ?? '')).join(' ')"""


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_speaks_one_language(visit: Visit, server: Served, language: str) -> None:
    page = visit("/", DESKTOP, language=language, name="Ola")
    running, _ = started_table(server.url, "six-nimmt", people(1, bots=2))
    waiting = made_and_waiting(page)
    names = {"table": finished(server.url, "six-nimmt"), "running": running, "waiting": waiting}
    for path, shown in (PAGES | MORE).items():
        page.goto(server.url + path.format(**names))
        expect(page.locator(shown).first).to_be_visible()
        page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")
        assert page.evaluate("document.documentElement.lang") == language
        text = page.evaluate(READ)
        assert not KEY.search(text), (path, KEY.search(text))
        assert not re.search(r"\{\w+\}|undefined|NaN|\[object", text), path
        if language != "en":
            # Names of files and commands stay as they are.
            plain = re.sub(r"[\w./-]+\.(csv|md)|bullpen verify", "", text)
            assert not ENGLISH.search(plain), (path, ENGLISH.search(plain), plain[:0])
        if language == "pl":
            assert POLISH.search(text) or len(text) < SHORT, path
        else:
            assert not POLISH.search(text), (path, POLISH.search(text))


def test_what_happened_before_is_read_in_the_new_language(visit: Visit) -> None:
    page = sit_down(visit, "six-nimmt", DESKTOP)
    log = page.locator(".log p")
    expect(log.filter(has_text="dealt").first).to_be_attached()
    page.get_by_role("button", name="More").click()
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Language").select_option("pl")
    page.keyboard.press("Escape")
    expect(log.filter(has_text="rozdane").first).to_be_attached()
    expect(log.filter(has_text="dealt")).to_have_count(0)


def test_the_language_changes_without_a_reload(visit: Visit, server: Served) -> None:
    page = visit("/rules/six-nimmt", DESKTOP)
    expect(page.get_by_role("heading", name="Rules: 6 nimmt!")).to_be_visible()
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Language").select_option("pl")
    page.keyboard.press("Escape")
    expect(page.get_by_role("heading", name="Zasady: 6 nimmt!")).to_be_visible()
    expect(page.locator("article#SN-5")).to_contain_text("szóst")
