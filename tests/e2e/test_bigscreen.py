"""The table on a big screen: what everybody sees, a code to join, and no hand anywhere."""

from __future__ import annotations

import contextlib
import json
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, TimeoutError, expect

from tests.e2e.sitting import ASKED, Sitting, sit_down
from tests.e2e.table import DESKTOP, PHONE, Visit, play_now
from tests.server.running import Served, checked, people, started_table

pytestmark = pytest.mark.e2e

Json = dict[str, Any]


def frames_of(page: Page) -> list[Json]:
    """What the sockets of this page will hear from now on."""
    heard: list[Json] = []

    def listen(socket: Any) -> None:
        socket.on("framereceived", lambda frame: heard.append(json.loads(frame)))

    page.on("websocket", listen)
    return heard


def cards_told(told: Any) -> set[int]:
    """Every card in the places and flights of a frame."""
    found: set[int] = set()
    if isinstance(told, dict):
        for key, value in told.items():
            if key == "places" and isinstance(value, dict):
                found |= {
                    card for lying in value.values() if isinstance(lying, list) for card in lying
                }
            elif key in ("cards", "taken") and isinstance(value, list):
                found |= {card for card in value if card}
            elif key == "card" and isinstance(value, int):
                found.add(value)
            else:
                found |= cards_told(value)
    elif isinstance(told, list):
        for one in told:
            found |= cards_told(one)
    return found


def strings_in_memory(page: Page) -> str:
    """Every text that the page's scripts hold just now, from a snapshot of their heap."""
    session, chunks = page.context.new_cdp_session(page), list[str]()
    session.on("HeapProfiler.addHeapSnapshotChunk", lambda event: chunks.append(event["chunk"]))
    session.send("HeapProfiler.takeHeapSnapshot", {"reportProgress": False})
    session.detach()
    return "\n".join(json.loads("".join(chunks))["strings"])


def open_table(server: Served, **wishes: Any) -> Json:
    body = {"game": "six-nimmt", "name": "Ann", "seats": people(2), "as": "program", **wishes}
    made: Json = httpx.post(f"{server.url}/api/tables", json=body).json()
    return made


def test_a_phone_joins_by_the_code_and_only_it_has_a_hand(visit: Visit, server: Served) -> None:
    made = open_table(server)
    screen = visit(f"/screen/{made['table']}#invite={made['invite']}", DESKTOP)
    expect(screen.get_by_role("img", name="QR code")).to_be_visible()
    expect(screen.locator("main")).to_contain_text("Ann")
    assert made["invite"] not in screen.content()

    phone = visit(made["link"], PHONE)
    phone.get_by_label("Your name").fill("Bo")
    phone.get_by_role("button", name="Sit down").click()
    expect(screen.locator("main")).to_contain_text("Bo")
    start = httpx.post(
        f"{server.url}/api/tables/{made['table']}/start",
        headers={"authorization": f"Bearer {made['token']}"},
    )
    assert start.status_code == 200
    expect(phone.locator("[data-card]")).to_have_count(10)
    expect(screen.locator("main .board .card").first).to_be_visible()
    assert screen.locator("[data-card]").count() == 0


@pytest.mark.parametrize("listed", [True, False])
def test_an_address_is_printed_only_where_it_leads_to_a_seat(
    visit: Visit, server: Served, listed: bool
) -> None:
    made = open_table(server, listed=listed, seats=[*people(2), {"kind": "bot", "level": "easy"}])
    screen = visit(f"/screen/{made['table']}", DESKTOP)  # without the invitation
    expect(screen.locator("main")).to_contain_text("(bot)")
    expect(screen.get_by_role("img", name="QR code")).to_have_count(int(listed))
    expect(screen.locator(".address")).to_have_count(int(listed))
    if not listed:
        return
    address = screen.locator(".address").inner_text()
    phone = visit(address[address.index("/table/") :], PHONE)
    expect(phone.get_by_role("list", name="Rules of this table")).to_contain_text(
        "Time for a decision"
    )
    phone.get_by_label("Your name").fill("Bo")
    phone.get_by_role("button", name="Sit down").click()
    expect(screen.locator("main")).to_contain_text("Bo")


def test_a_screen_on_a_players_device_sees_no_hand_either(visit: Visit) -> None:
    """The device has the cookie of a seat, yet the screen's socket is a spectator's."""
    page = visit("/", DESKTOP)
    play_now(page, "6 nimmt!")
    mine = {int(card.get_attribute("data-card") or 0) for card in page.locator("[data-card]").all()}
    assert len(mine) == 10
    screen = page.context.new_page()
    heard = frames_of(screen)
    screen.goto(page.url.replace("/table/", "/screen/"))
    expect(screen.locator("main .board .card").first).to_be_visible()
    welcome = next(frame for frame in heard if frame["type"] == "welcome")
    assert welcome["seat"] is None
    assert not mine & set().union(*(cards_told(frame) for frame in heard))
    for card in mine:
        assert f'"Card {card},' not in screen.content()


def test_no_hidden_card_reaches_the_page_of_another_player(visit: Visit, server: Served) -> None:
    """Frames, page and everything reachable from the window, while a game is running."""
    from tests.e2e.finished import beside
    from tests.server.running import seated

    made = open_table(server)
    phone = visit("/", PHONE)
    heard = frames_of(phone)
    phone.goto(f"{server.url}{made['link']}")
    phone.get_by_label("Your name").fill("Bo")
    phone.get_by_role("button", name="Sit down").click()
    # Ann is read also by who has not sat down yet: then a bot would be given the seat.
    expect(phone.get_by_role("heading", name="Waiting for players")).to_be_visible()
    bearer = {"authorization": f"Bearer {made['token']}"}
    checked(httpx.post(f"{server.url}/api/tables/{made['table']}/start", headers=bearer))
    expect(phone.locator("[data-card]")).to_have_count(10)

    def choose() -> set[int]:
        """Ann, elsewhere: she lays a card face down, and says what she holds."""
        import asyncio

        async def story() -> set[int]:
            async with seated(server.url, made["table"], made["token"]) as ann:
                held = set(ann.shown["places"]["hand 0"])
                await ann.move()
                return held

        return asyncio.run(story())

    hidden = beside(choose)
    phone.wait_for_function("() => document.querySelectorAll('.dot.on').length >= 1")
    assert len(hidden) == 10
    assert not hidden & set().union(*(cards_told(frame) for frame in heard))
    page = phone.content()
    for card in hidden:
        assert f'"Card {card},' not in page
        assert f'data-flip="c{card}"' not in page
    memory = strings_in_memory(phone)
    own = phone.locator("[data-card]").first.get_attribute("data-card")
    assert f"Card {own}," in memory  # so that it would be found
    assert not [card for card in hidden if f"Card {card}," in memory]
    # Nothing of ours hangs on the window: no state of the game can be reached from there.
    usual = phone.evaluate(
        """() => {
            const frame = document.createElement('iframe');
            document.body.append(frame);
            const known = new Set(Object.getOwnPropertyNames(frame.contentWindow));
            frame.remove();
            return Object.getOwnPropertyNames(window).filter((name) => !known.has(name) && !/^\\d+$/.test(name));
        }"""
    )
    assert [name for name in usual if not name.startswith("__svelte")] == []


def test_spectators_see_the_table_and_no_hand(visit: Visit, server: Served) -> None:
    table, _ = started_table(server.url, "x-nimmt", people(1, bots=2))
    page = visit(f"/table/{table}", PHONE)
    expect(page.locator("main .board .card").first).to_be_visible()
    assert page.locator("[data-card]").count() == 0
    expect(page.locator(".say")).not_to_be_empty()


def test_on_a_phone_the_menu_leads_to_what_has_no_room(visit: Visit) -> None:
    page = sit_down(visit, "six-nimmt", PHONE, options={"memory_aid": True})
    for name in ("What happened", "What you could remember"):
        page.get_by_role("button", name="More").click()
        page.get_by_role("dialog").get_by_role("button", name=name).click()
        expect(page.get_by_role("dialog", name=name)).to_be_visible()
        page.keyboard.press("Escape")


def test_the_memory_aid_shows_what_was_seen_before(visit: Visit) -> None:
    """Where the table allows it: taken cards are closed, but everybody has seen them."""
    page = sit_down(visit, "six-nimmt", DESKTOP, options={"rounds": 1, "memory_aid": True})
    sitting = Sitting(page)
    memory = page.get_by_role("region", name="What you could remember")
    page.get_by_role("tab", name="Memory").click()
    expect(memory).to_contain_text("Every card shown so far is still visible")
    for _ in range(30):
        if memory.locator(".card").count():
            return
        page.wait_for_selector(ASKED)
        with contextlib.suppress(TimeoutError):
            sitting.decide()
    raise AssertionError("nobody took a row, or it was not shown")
