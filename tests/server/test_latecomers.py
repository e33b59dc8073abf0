"""Somebody late takes over a bot's seat: asked for, allowed, and from then on theirs alone."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from bullpen.fair import commitment, share_commitment
from bullpen.server.late_requests import SILENT_SECONDS
from tests.patience import until_soon
from tests.server.running import (
    RUN,
    Json,
    Served,
    bearer,
    checked,
    new_table,
    people,
    seated,
    served,
)
from tests.server.running import started_table as started
from tests.server.test_chairs import At, refused, run

# A bot's answer waits in the door of the table until a file lets it in.
SLOW_BOTS = f"""
import asyncio, os
from bullpen.server.room import Room
write = Room._write
async def slowly(self):
    if any(getattr(entry, "by", "") == "bot" for entry in self._inbox):
        open(os.environ["THERE"], "w").close()
        while not os.path.exists(os.environ["LET_IN"]):
            await asyncio.sleep(0.01)
    await write(self)
Room._write = slowly
{RUN}"""


async def running(
    server: Served, bots: int = 1, humans: int = 1, **wishes: Any
) -> tuple[str, str, Json]:
    """A started game, its host's token, and how somebody asks for a seat there."""
    table, tokens = new_table(server.url, "six-nimmt", people(humans, bots), **wishes)
    async with At(server, table) as http:
        invite = (await http.do("invite", tokens[0]))["invite"]
        await http.do("start", tokens[0])
    return table, tokens[0], {"name": "Cy", "invite": invite, "as": "program"}


async def let_in(http: At, host: str, wish: Json) -> Json:
    asked = await http.do("take-over", **wish)
    (one,) = (await http.shown())["lobby"]["asking"]
    await http.do("latecomer", host, request=one["request"], allow=True)
    return await http.do("take-over", **wish, request=asked["request"])


def test_the_host_is_asked_and_from_then_on_the_seat_is_theirs(server: Served) -> None:
    async def story() -> None:
        table, host, wish = await running(server, bots=2)
        async with At(server, table) as http, seated(server.url, table, host) as anna:
            bot = (await http.seats())[1]["name"]
            asked = await http.ask("take-over", **wish)
            assert asked.status_code == 202
            again = await http.ask("take-over", **wish, request=asked.json()["request"])
            assert again.json() == asked.json()  # asked twice: one request
            lobby = (await anna.hear_of("lobby"))["lobby"]
            while not lobby["asking"]:
                lobby = (await anna.hear_of("lobby"))["lobby"]
            assert lobby["asking"] == [{"request": 1, "name": "Cy", "seat": 1}]
            answer: Json = {"request": 1, "allow": True}
            assert refused(await http.ask("latecomer", **answer)) == (403, "not_your_seat")
            await http.do("latecomer", host, **answer)
            assert refused(await http.ask("latecomer", host, **answer)) == (409, "asks_no_more")
            sat = await http.do("take-over", **wish, request=asked.json()["request"])
            assert sat["seat"] == 1
            seats = await http.seats()
            assert (seats[1]["kind"], seats[1]["name"], seats[1]["level"]) == (
                "program",
                "Cy",
                None,
            )
            more = await http.ask("take-over", sat["token"], **{**wish, "name": "Dee"})
            assert refused(more) == (409, "already_seated")
            async with seated(server.url, table, sat["token"], seed=5) as cy:
                assert cy.told[0]["seat"] == 1
                assert cy.told[0]["lobby"]["asking"] == []
                await asyncio.gather(anna.play_on(), cy.play_on())
            parts = anna.ended["parts"]
            assert (parts[0], parts[2]) == ([], [])
            assert [(part["name"], part["kind"]) for part in parts[1]] == [
                (bot, "bot"),
                ("Cy", "program"),
            ]
            told = checked(await http.get(f"{http.address}/replay"))
            by = [
                one["by"] for turn in told["turns"] for one in turn["decisions"] if one["seat"] == 1
            ]
            counts = [by.count("bot"), by.count("program")]
            assert [part["decisions"] for part in parts[1]] == counts
            assert counts[1] > 0

    run(story())


def test_without_the_hosts_word_nobody_gets_a_seat_or_sees_a_hand(server: Served) -> None:
    async def story() -> None:
        table, host, wish = await running(server, bots=2)
        async with At(server, table) as http, seated(server.url, table, host):
            asked = await http.do("take-over", **wish)
            assert "token" not in asked
            async with seated(server.url, table, None) as watcher:
                hands = [cards for name, cards in watcher.shown["places"].items() if "hand" in name]
                assert all(type(cards) is int for cards in hands)
            stranger = {**wish, "invite": None}
            assert refused(await http.ask("take-over", **stranger)) == (403, "invite_needed")
            same = {**wish, "name": "C y"}
            assert refused(await http.ask("take-over", **same)) == (409, "name_taken")
            own = {**wish, "name": "P0"}
            assert refused(await http.ask("take-over", **own)) == (409, "name_taken")
            person = {**wish, "name": "Dee", "seat": 0}
            assert refused(await http.ask("take-over", **person)) == (409, "seat_taken")
            await http.do("latecomer", host, request=1, allow=False)
            declined = await http.ask("take-over", **wish, request=asked["request"])
            assert refused(declined) == (403, "not_let_in")
            assert [seat["kind"] for seat in await http.seats()] == ["program", "bot", "bot"]

    run(story())


def test_of_two_who_are_let_in_to_one_seat_one_gets_it(server: Served) -> None:
    async def story() -> None:
        table, host, wish = await running(server)
        async with At(server, table) as http, seated(server.url, table, host):
            wishes = [{**wish, "name": name} for name in ("Cy", "Dee")]
            for number, one in enumerate(wishes, start=1):
                one["request"] = (await http.do("take-over", **one))["request"]
                await http.do("latecomer", host, request=number, allow=True)
            answers = await asyncio.gather(*(http.ask("take-over", **one) for one in wishes))
            assert sorted(answer.status_code for answer in answers) == [200, 409]

    run(story())


def test_where_latecomers_are_welcome_nobody_is_asked_and_where_never_nobody_comes(
    server: Served,
) -> None:
    async def story() -> None:
        table, host, wish = await running(server, latecomers="welcome")
        async with At(server, table) as http, seated(server.url, table, host):
            assert (await http.do("take-over", **wish))["seat"] == 1
            full = await http.ask("take-over", **{**wish, "name": "Dee"})
            assert refused(full) == (409, "no_bot_to_relieve")
        table, _, wish = await running(server, latecomers="never")
        async with At(server, table) as http:
            assert refused(await http.ask("take-over", **wish)) == (403, "no_latecomers")
        table, _, wish = await running(server, latecomers="welcome", listed=True)
        async with At(server, table) as http:
            assert (await http.do("take-over", name="Cy", **{"as": "program"}))["seat"] == 1

    run(story())


def test_before_the_start_and_after_the_end_there_is_nothing_to_take_over(server: Served) -> None:
    async def story() -> None:
        table, tokens = new_table(server.url, "six-nimmt", people(1, bots=1), options={"rounds": 1})
        wish: Json = {"name": "Cy", "as": "program"}
        async with At(server, table) as http:
            wish["invite"] = (await http.do("invite", tokens[0]))["invite"]
            assert refused(await http.ask("take-over", **wish)) == (409, "late_not_started")
            await http.do("start", tokens[0])
            async with seated(server.url, table, tokens[0]) as anna:
                asked = await http.do("take-over", **wish)
                await http.do("latecomer", tokens[0], request=1, allow=True)
                await anna.play_on()
            late = await http.ask("take-over", **wish, request=asked["request"])
            assert refused(late) == (409, "late_over")
            assert [seat["kind"] for seat in await http.seats()] == ["program", "bot"]

    run(story())


def test_what_the_bot_had_chosen_stands_until_its_successor_chooses_otherwise(
    server: Served,
) -> None:
    async def story() -> None:
        table, host, wish = await running(server, latecomers="welcome")
        async with At(server, table) as http, seated(server.url, table, host) as anna:
            while 1 not in anna.shown["chosen"] and not any(
                one["type"] == "chosen" for one in anna.told
            ):
                await anna.hear()
            sat = await http.do("take-over", **wish)
            async with seated(server.url, table, sat["token"]) as cy:
                decision = cy.shown["decision"]
                other = next(
                    one["action"]
                    for one in decision["moves"]
                    if one["action"] != decision["choice"]
                )
                assert decision["choice"] is not None
                await cy.say(type="move", decision=decision["number"], action=other)
                assert (await cy.hear_of("accepted"))["action"] == other
                await anna.move()
                while cy.shown["turn"] == 0:
                    await cy.hear()
                reveal = next(one for one in cy.shown["steps"] if one["event"]["event"] == "reveal")
                assert reveal["event"]["cards"][1] == other

    run(story())


def test_a_bots_answer_that_waits_while_its_seat_is_taken_over_does_not_count(
    tmp_path: Path,
) -> None:
    there, open_door = tmp_path / "there", tmp_path / "let in"
    with served(tmp_path, SLOW_BOTS, THERE=str(there), LET_IN=str(open_door)) as server:

        async def story() -> None:
            table, host, wish = await running(server, latecomers="welcome")
            async with At(server, table) as http, seated(server.url, table, host):
                await until_soon(there.exists)
                sat = await http.do("take-over", **wish)
                async with seated(server.url, table, sat["token"]) as cy:
                    open_door.touch()
                    await cy.move()
                    await cy.say(type="look")
                    await cy.hear_of("view")
                    assert cy.shown["chosen"] == [1]
                    assert len([one for one in cy.told if one["type"] == "refused"]) == 0

        run(story())
        assert "Traceback" not in server.log.read_text()


@pytest.mark.parametrize("how", ["sent away", "left"])
def test_the_seat_of_somebody_who_has_gone_is_given_on_with_its_share_in_the_deal(
    server: Served, how: str
) -> None:
    async def story() -> None:
        table, (anna, bo) = new_table(
            server.url, "six-nimmt", people(2), latecomers="welcome", options={"rounds": 1}
        )
        share = bytes(range(32))
        async with At(server, table) as http, seated(server.url, table, anna) as player:
            await http.do("commit", bo, commitment=share_commitment(table, 1, share))
            async with seated(server.url, table, bo) as other:
                start = asyncio.create_task(http.do("start", anna))
                await other.hear_of("open_shares")
                await other.say(type="open", share=share.hex())
                await start
            if how == "left":
                await http.do("leave", bo)
            else:
                await http.do("kick", anna, seat=1)
            invite = (await http.do("invite", anna))["invite"]
            wish: Json = {"name": "Cy", "as": "program", "invite": invite, "seat": 1}
            # Who was sent away does not come back; who has left might, so the host is asked in any case.
            sat = await (
                let_in(http, anna, wish) if how == "left" else http.do("take-over", **wish)
            )
            gone = await http.get(f"{http.address}/arrange", headers=bearer(bo))
            assert refused(gone) == (403, "not_your_seat")
            async with seated(server.url, table, sat["token"]) as cy:
                await asyncio.gather(player.play_on(), cy.play_on())
            fair = checked(await http.get(f"{http.address}/fair"))
            assert fair["shares"] == [None, share.hex()]
            assert commitment(bytes.fromhex(fair["secret"])) == fair["commitment"]
            assert [part["name"] for part in player.ended["parts"][1]] == ["P1", "Cy"]
            assert fair["commitments"][1] == share_commitment(table, 1, share)

    run(story())


def test_at_the_next_table_the_seat_is_kept_for_who_took_it_over(server: Served) -> None:
    async def story() -> None:
        table, host, wish = await running(server, latecomers="welcome", options={"rounds": 1})
        async with At(server, table) as http, seated(server.url, table, host) as anna:
            sat = await http.do("take-over", **wish)
            async with seated(server.url, table, sat["token"]) as cy:
                await asyncio.gather(anna.play_on(), cy.play_on())
            again = await http.do("rematch", host)
            async with At(server, again["table"]) as new:
                assert [seat["reserved_for"] for seat in await new.seats()] == [None, "Cy"]
            assert (await http.do("rematch", sat["token"]))["seat"] == 1

    run(story())


def test_whoever_took_over_sits_there_after_a_restart_too(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        told: dict[str, Any] = {}

        async def begin() -> None:
            table, host, wish = await running(server, latecomers="welcome")
            async with At(server, table) as http:
                told.update(await http.do("take-over", **wish), host=host)

        async def go_on() -> None:
            async with (
                seated(server.url, told["table"], told["host"]) as anna,
                seated(server.url, told["table"], told["token"]) as cy,
            ):
                assert cy.told[0]["seat"] == 1
                await asyncio.gather(anna.play_on(), cy.play_on())
                assert [part["name"] for part in anna.ended["parts"][1]][1:] == ["Cy"]

        run(begin())
        server.end()
        server.start()
        run(go_on())


def test_whoever_asks_and_goes_asks_no_more(tmp_path: Path) -> None:
    soon = RUN.replace(
        "from bullpen.server.serving",
        "import bullpen.server.late_requests as late; late.SILENT_SECONDS = 0.3; from bullpen.server.serving",
    )
    assert SILENT_SECONDS > 5  # between two times that a page asks
    with served(tmp_path, soon) as server:

        async def story() -> None:
            table, host, wish = await running(server)
            async with At(server, table) as http, seated(server.url, table, host) as anna:
                await http.do("take-over", **wish)
                asking = [{"request": 1, "name": "Cy", "seat": 1}]
                while (await anna.hear_of("lobby"))["lobby"]["asking"] != asking:
                    pass
                while (await anna.hear_of("lobby"))["lobby"]["asking"]:
                    pass

        run(story())


def test_a_practice_table_is_for_one(server: Served) -> None:
    table, tokens = started(server.url, "six-nimmt", people(1, bots=1), practice=7)

    async def story() -> None:
        async with At(server, table) as http:
            late = await http.ask("take-over", name="Cy", **{"as": "program"})
            assert refused(late) == (403, "no_latecomers")
            assert tokens

    run(story())
