"""People at one table, each in a browser of their own: chat, taking back, sending away, watching, once more."""

from __future__ import annotations

import contextlib
import json
import re
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, Route, TimeoutError, expect

from tests.e2e.sitting import CORNER
from tests.e2e.table import DESKTOP, MINE, MINE_NOW, PHONE, SHORT, Visit, expect_table, step
from tests.server.running import UNTIL_TIME_IS_UP, checked, served

pytestmark = pytest.mark.e2e

TWO = [{"kind": "person"}, {"kind": "person"}]
MAKE = """async (wish) => {
    const headers = {'content-type': 'application/json'};
    return (await fetch('/api/tables', {method: 'POST', headers, body: JSON.stringify(wish)})).json();
}"""


def table_for_two(visit: Visit, **wishes: Any) -> tuple[Page, Page]:
    """Ann, who has set the table, and Bo, who has sat down at it."""
    ann = visit("/", DESKTOP, name="Ann")
    wish = {"game": "six-nimmt", "name": "Ann", "seats": TWO, "clock": None, **wishes}
    made = ann.evaluate(MAKE, wish)
    ann.goto(f"{visit.url}/table/{made['table']}")
    bo = visit(made["link"], PHONE)
    bo.get_by_label("Your name").fill("Bo")
    bo.get_by_role("button", name="Sit down").click()
    expect(ann.get_by_text("Bo", exact=True)).to_be_visible()
    # Who sits down may know it later than the others: when the answer with the seat is there.
    expect(bo.get_by_text("You", exact=True)).to_be_visible()
    return ann, bo


def test_who_sits_down_and_never_gets_the_answer_has_the_seat_after_a_reload(visit: Visit) -> None:
    """As where the line breaks at that moment: the seat is taken, and nobody else would have its token."""
    visit.pardoned += ["net::ERR_FAILED"]  # browsers tell of it

    def lose(route: Route) -> None:
        wish = route.request.post_data_json
        checked(httpx.post(route.request.url, json=wish, headers={"origin": visit.url}))
        route.abort()

    ann = visit("/", DESKTOP, name="Ann")
    made = ann.evaluate(MAKE, {"game": "six-nimmt", "name": "Ann", "seats": TWO, "clock": None})
    bo = visit(made["link"], PHONE)
    bo.route("**/join?*", lose)
    bo.get_by_label("Your name").fill("Bo")
    bo.get_by_role("button", name="Sit down").click()
    expect(bo.get_by_role("alert")).not_to_be_empty()
    bo.unroute_all()
    bo.reload()
    expect(bo.get_by_text("You", exact=True)).to_be_visible()
    expect(bo.locator(".seats li.open")).to_have_count(0)
    bo.reload()  # and it stays so
    expect(bo.get_by_text("You", exact=True)).to_be_visible()


def started(visit: Visit, **wishes: Any) -> tuple[Page, Page]:
    ann, bo = table_for_two(visit, **wishes)
    ann.get_by_role("button", name=re.compile("^Start")).click()
    for page in (ann, bo):
        expect_table(page)
    return ann, bo


def play_first(page: Page) -> None:
    page.locator("[data-card]").last.click()
    page.get_by_role("button", name=re.compile("^Play ")).click()


def test_what_one_says_the_other_reads(visit: Visit) -> None:
    ann, bo = started(visit)
    ann.get_by_role("tab", name="Chat").click()
    ann.get_by_role("textbox", name="Say something").fill("Good luck <b>Bo</b>!")
    ann.keyboard.press("Enter")
    chat = bo.get_by_role("button", name=re.compile("^Chat"))
    expect(chat).to_contain_text("1")  # unread
    chat.click()
    said = bo.get_by_role("dialog").get_by_role("log")
    expect(said).to_contain_text("Ann Good luck <b>Bo</b>!")
    assert said.locator("b", has_text="Bo").count() == 0
    bo.get_by_role("dialog").locator(".phrases button").first.click()
    expect(ann.get_by_role("log", name="Chat").locator("p")).to_have_count(2)
    expect(ann.get_by_role("log", name="Chat").locator("p").last).to_contain_text("Bo")


def test_a_card_is_taken_back_if_the_other_agrees(visit: Visit) -> None:
    """In Hornochsen! nobody learns anything new when one's own card is laid, so it may be taken back."""
    ann, bo = started(visit, game="hornochsen")
    held = ann.locator("[data-card]")
    for answer, played, left in (("No", 15, 15), ("Yes", 14, 15)):
        ann.locator(f"[data-card]{MINE}").first.click(position=CORNER)
        ann.locator("footer .go").click()
        expect(held).to_have_count(played)
        ann.get_by_role("button", name="Take back").click()
        asked = bo.get_by_role("dialog", name="Take back")
        expect(asked).to_contain_text("Ann would like to take back the last move")
        expect(ann.locator(".say")).to_contain_text("Waiting for the others to agree")
        asked.get_by_role("button", name=answer).click()
        expect(asked).to_be_hidden()
        # Bo has said it; Ann must have heard it, or it would answer what she asks next.
        expect(ann.locator(".say")).not_to_contain_text("Waiting for the others to agree")
        expect(held).to_have_count(left)


def test_a_link_that_may_not_be_copied_is_marked_instead(visit: Visit) -> None:
    """Pages over plain HTTP, as in a local network, have no clipboard."""
    ann = visit("/new/six-nimmt", DESKTOP)
    ann.add_init_script("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    ann.reload()
    ann.get_by_role("button", name="Set up the table").click()
    ann.get_by_role("button", name="Copy the link").click()
    expect(ann.get_by_role("region", name="Invite others")).to_contain_text("The link is marked")
    expect(ann.get_by_role("button", name="Copied")).to_have_count(0)
    marked, link = ann.evaluate(
        "() => { const field = document.activeElement; "
        "return [field.value.slice(field.selectionStart, field.selectionEnd), field.value]; }"
    )
    assert marked == link
    assert "/table/" in link


def test_the_host_sends_somebody_away(visit: Visit) -> None:
    ann, bo = table_for_two(visit)
    visit.pardoned += [
        "WebSocket connection",
        "status of 403",
    ]  # refused from now on: browsers tell of it
    ann.get_by_role("button", name="Send Bo away").focus()
    ann.keyboard.press("Enter")
    expect(ann.get_by_text("Bo", exact=True)).to_have_count(0)
    # The seat is free again, but not for Bo, who is told so; the old link has ended, and there is a new one.
    expect(bo.get_by_role("main")).to_contain_text("sent you away")
    expect(bo.get_by_role("heading", name="6 nimmt!")).to_be_visible()
    expect(bo.get_by_role("button", name="Sit down")).to_have_count(0)
    bo.reload()
    expect(bo.get_by_role("heading", name="6 nimmt!")).to_be_visible()
    bo.get_by_role("button", name="Sit down").click()
    expect(bo.get_by_role("alert")).to_contain_text("cannot come back")
    new = ann.get_by_role("textbox", name="Invite others").input_value()
    cleo = visit(new[new.index("/table/") :], PHONE)
    cleo.get_by_label("Your name").fill("Cleo")
    cleo.get_by_role("button", name="Sit down").click()
    expect(ann.get_by_text("Cleo", exact=True)).to_be_visible()


def test_the_host_mutes_somebody_and_sends_them_away_from_a_game(visit: Visit) -> None:
    ann, bo = started(visit)
    visit.pardoned += ["WebSocket connection", "status of 403"]  # refused once the seat is lost
    ann.get_by_role("button", name="More").click()
    ann.get_by_role("dialog").get_by_role("button", name="Players").click()
    dialog = ann.get_by_role("dialog", name="Players")
    mute = dialog.get_by_role("button", name="Mute Bo")
    mute.focus()
    ann.keyboard.press("Enter")
    expect(mute).to_have_attribute("aria-pressed", "true")
    bo.get_by_role("button", name=re.compile("^Chat")).click()
    expect(bo.get_by_role("dialog")).to_contain_text("The host has muted you")
    bo.keyboard.press("Escape")
    away = dialog.get_by_role("button", name="Send Bo away")
    away.focus()
    ann.keyboard.press("Enter")  # asks first: there is no way back
    dialog.get_by_role("button", name="Really send Bo away?").focus()
    ann.keyboard.press("Enter")
    expect(dialog).to_contain_text("sent away; a bot plays on")
    expect(dialog.get_by_role("button", name="Mute Bo")).to_have_count(0)
    expect(bo.locator(".say")).to_contain_text("sent you away")
    expect(bo.locator("[data-card]")).to_have_count(0)  # watches, like anybody
    ann.keyboard.press("Escape")
    play_first(ann)  # and nobody waits for Bo
    expect(ann.locator("[data-card]")).to_have_count(9)


def test_a_spectator_is_counted_and_sees_no_hand(visit: Visit) -> None:
    ann, _ = started(visit)
    watcher = visit(ann.url.removeprefix(visit.url), DESKTOP)
    expect(watcher.get_by_role("group", name=re.compile("^Row "))).to_have_count(4)
    assert watcher.locator("[data-card]").count() == 0
    expect(ann.locator(".watchers")).to_contain_text("1")
    play_first(ann)
    expect(watcher.locator(".dot.on")).to_have_count(1)  # chosen, and nobody sees what


def test_a_table_can_be_closed_to_spectators(visit: Visit) -> None:
    ann, _ = started(visit, spectators=False)
    visit.pardoned.append("WebSocket connection")  # refused, as it must be: browsers tell of it
    watcher = visit(ann.url.removeprefix(visit.url), PHONE)
    expect(watcher.locator("main")).to_contain_text("This table lets nobody watch")
    assert watcher.locator(".board").count() == 0


def play_to_the_end(*pages: Page) -> None:
    """Whoever is asked answers; nobody waits for another one."""
    again = [page.get_by_role("button", name="Play again") for page in pages]
    while not all(one.is_visible() for one in again):
        for page in pages:
            if page.locator(f"main .choose, {MINE_NOW}, dialog[open]").count():
                # The table may go on just now, and then it is the other one who is asked.
                with contextlib.suppress(TimeoutError):
                    step(page, SHORT)


def said_by(page: Page, kind: str) -> list[Any]:
    """What this page will say to its table."""
    said: list[Any] = []

    def hear(frame: str | bytes) -> None:
        message = json.loads(frame)
        if message["type"] == kind:
            said.append(message)

    page.on("websocket", lambda socket: socket.on("framesent", hear))
    return said


QUICK = {"rounds": 1, "deck": "tactical"}
# The page believes that it has opened its share, but nothing of it arrives.
NOTHING_OPENED = """
const send = WebSocket.prototype.send;
WebSocket.prototype.send = function (text) { if (JSON.parse(text).type !== 'open') send.call(this, text); };
"""
NO_SUBTLE = "Object.defineProperty(crypto, 'subtle', { value: undefined })"


def table_of(page: Page) -> str:
    return page.url.rpartition("/")[2].partition("#")[0]


def test_two_browsers_find_all_shares_in_the_deal(visit: Visit) -> None:
    """One of them as over plain HTTP, where a page gets no hashes from its browser."""
    ann, bo = table_for_two(visit, options=QUICK)
    bo.add_init_script(NO_SUBTLE)
    bo.reload()
    for page in (ann, bo):
        expect(page.locator("[data-sealed]")).to_be_visible()
    assert bo.evaluate("crypto.subtle") is None
    ann.get_by_role("button", name=re.compile("^Start")).click()
    play_to_the_end(ann, bo)
    for page in (ann, bo):
        expect(page.get_by_role("dialog")).to_contain_text("Your own share was in the shuffling")
        page.goto(f"{visit.url}/verify/{table_of(ann)}")
        expect(page.locator("[data-verdict]")).to_have_attribute("data-verdict", "fair")
        checks = page.locator(".checks")
        expect(checks).to_contain_text("opened and are in it: 2 of 2")
        expect(checks).to_contain_text("All seals are those that this device saw")
        expect(checks).to_contain_text("Your own share (")


def test_who_loads_the_page_anew_while_shares_are_opened_opens_the_same(visit: Visit) -> None:
    ann, bo = table_for_two(visit, options=QUICK)
    for page in (ann, bo):
        expect(page.locator("[data-sealed]")).to_be_visible()
    bo.add_init_script(NOTHING_OPENED)
    bo.reload()
    expect(bo.locator("[data-sealed]")).to_be_visible()
    ann.get_by_role("button", name=re.compile("^Start")).click()
    expect(bo.get_by_text("The cards are being shuffled")).to_be_visible()
    tried = bo.context.new_page()  # the same device, in another tab
    opened = said_by(tried, "open")
    tried.goto(ann.url)
    expect(tried.locator("[data-card]").first).to_be_visible()
    assert len(opened) == 1
    shown = ann.evaluate(f"fetch('/api/tables/{table_of(ann)}').then((told) => told.json())")
    assert shown["fair"]["unopened"] == []


def is_opened(frame: str | bytes) -> bool:
    return bool(json.loads(frame)["type"] == "opened")


def test_a_share_that_the_server_leaves_out_is_noticed(visit: Visit, tmp_path: Path) -> None:
    """What Bo's browser opens does not reach the server: to Bo that is the same as one that drops it."""
    time_is_up = tmp_path / "time is up"
    with served(tmp_path, UNTIL_TIME_IS_UP, TIME_IS_UP=str(time_is_up)) as server:
        a_share_is_left_out(Visit(visit.browser, server.url, visit.made), time_is_up)


def a_share_is_left_out(visit: Visit, time_is_up: Path) -> None:
    ann, bo = table_for_two(visit, options=QUICK)
    bo.add_init_script(NOTHING_OPENED)
    bo.reload()
    with ann.expect_websocket() as of_ann:
        ann.reload()
    for page in (ann, bo):
        expect(page.locator("[data-sealed]")).to_be_visible()
    with of_ann.value.expect_event("framereceived", is_opened):
        ann.get_by_role("button", name=re.compile("^Start")).click()
    time_is_up.touch()
    play_to_the_end(ann, bo)
    expect(ann.get_by_role("dialog")).to_contain_text("Your own share was in the shuffling")
    expect(bo.get_by_role("dialog")).to_contain_text("the server lists it as not opened")
    bo.goto(f"{visit.url}/verify/{table_of(ann)}")
    expect(bo.locator("[data-verdict]")).to_have_attribute("data-verdict", "unfair")
    expect(bo.locator(".checks")).to_contain_text("the server lists it as not opened")
    ann.goto(f"{visit.url}/verify/{table_of(ann)}")
    expect(ann.locator("[data-verdict]")).to_have_attribute("data-verdict", "fair")
    expect(ann.locator(".checks")).to_contain_text("The share of Bo was not opened")


def test_two_play_to_the_end_and_once_more(visit: Visit) -> None:
    ann, bo = started(visit, options={"rounds": 1})
    play_to_the_end(ann, bo)
    ann.get_by_role("button", name="Play again").click()
    expect(ann.get_by_role("heading", name="6 nimmt!")).to_be_visible()
    expect(ann.get_by_text("kept for Bo")).to_be_visible()
    expect(bo.get_by_role("dialog")).to_contain_text("Play again")
    sealed = said_by(bo, "commit")
    bo.get_by_role("button", name="Play again").click()
    bo.wait_for_url(ann.url)
    expect(bo.get_by_text("Ann starts the game.")).to_be_visible()
    expect(bo.locator("[data-sealed]")).to_be_visible()
    assert len(sealed) == 1  # in the new deal, as in the first one
    ann.get_by_role("button", name=re.compile("^Start")).click()
    for page in (ann, bo):
        expect(page.locator("[data-card]")).to_have_count(10)


def drop(page: Page, onto: str) -> str:
    card = page.locator("[data-card]").last
    number = card.get_attribute("data-card") or ""
    card.hover()  # waits until it lies still
    start, target = card.bounding_box(), page.locator(onto).first.bounding_box()
    assert start is not None
    assert target is not None
    page.mouse.move(start["x"] + start["width"] / 2, start["y"] + start["height"] / 2)
    page.mouse.down()
    page.mouse.move(start["x"] + 40, start["y"] - 30, steps=4)
    page.mouse.move(target["x"] + target["width"] / 2, target["y"] + target["height"] / 2, steps=6)
    page.mouse.up()
    return number


def test_a_card_is_played_by_dropping_it_on_the_table(visit: Visit) -> None:
    ann, _ = started(visit)
    number = drop(ann, "header h1")
    expect(ann.locator(f"[data-card='{number}']")).to_be_visible()  # beside the table: it goes back
    expect(ann.locator("[data-card]")).to_have_count(10)
    drop(ann, "main [data-drop]")
    expect(ann.locator("[data-card]")).to_have_count(9)
    expect(ann.locator(f"[data-card='{number}']")).to_have_count(0)


def test_the_host_changes_who_sits_there_in_the_waiting_room(visit: Visit) -> None:
    seats = [*TWO, {"kind": "bot", "level": "easy"}]
    ann, bo = table_for_two(visit, seats=seats)
    chair = ann.get_by_label("Seats 3")
    expect(chair).to_have_value("easy")
    chair.select_option("hard")
    expect(bo.get_by_text("bot, hard")).to_be_visible()
    chair.select_option("person")
    expect(bo.get_by_text("open seat")).to_be_visible()
    expect(bo.get_by_label("Seats 3")).to_have_count(0)  # only for the host
    ann.get_by_role("button", name=re.compile("^Start; 1 bot")).click()
    expect(ann.locator("[data-card]")).to_have_count(10)
