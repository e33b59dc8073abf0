"""Deals that nobody can choose, through the wire: what is committed to, when it is opened, and what is told of it."""

import asyncio
import contextlib
import hashlib
import json
import secrets
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from bullpen.fair import (
    Fairness,
    OldFairness,
    commitment,
    counted,
    share_commitment,
    shuffled,
)
from bullpen.record import replay
from bullpen.server.header import Header, SeatTaken
from bullpen.server.store import Key, new_token, open_store, token_hash
from tests.server.running import (
    UNTIL_TIME_IS_UP,
    Json,
    Player,
    Served,
    bearer,
    checked,
    new_table,
    people,
    play_together,
    seated,
    served,
)

QUICK = {"rounds": 1, "deck": "tactical"}


@pytest.fixture(scope="module")
def calm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Waits longer for a share than any of these tests does: nothing here is dealt because time is up."""
    yield from one_server(tmp_path_factory, BULLPEN_OPEN_SECONDS="60", BULLPEN_MESSAGES="1000000")


def one_server(factory: pytest.TempPathFactory, **settings: str) -> Iterator[Served]:
    with served(factory.mktemp("fair"), **settings) as running:
        yield running
        log = running.log.read_text()
    assert "Traceback" not in log, log


class Sharing:
    """A player of docs/wire.md with a share in the deal."""

    def __init__(self, player: Player, table: str, seat: int) -> None:
        self.player, self.table, self.seat = player, table, seat
        self.share = secrets.token_bytes(32)

    @property
    def commitment(self) -> str:
        """By docs/fair.md, without a look at fair.py."""
        told = b"bullpen-fair-2/share" + len(self.table).to_bytes(4, "big") + self.table.encode()
        return hashlib.sha256(told + self.seat.to_bytes(4, "big") + self.share).hexdigest()

    async def commit(self) -> Json:
        await self.player.say(type="commit", commitment=self.commitment)
        return await self.player.hear_of("committed")

    async def open(self) -> None:
        await self.player.say(type="open", share=self.share.hex())

    async def refusal(self, **message: Any) -> str:
        await self.player.say(**message)
        return str((await self.player.hear_of("error"))["key"])


def table_of(server: Served, seats: list[Json], **wishes: Any) -> tuple[str, list[str]]:
    return new_table(server.url, "six-nimmt", seats, options=QUICK, **wishes)


@contextlib.asynccontextmanager
async def sharers(server: Served, table: str, tokens: list[str]) -> AsyncIterator[list[Sharing]]:
    async with contextlib.AsyncExitStack() as stack:
        players = [
            await stack.enter_async_context(seated(server.url, table, token, seed=seat))
            for seat, token in enumerate(tokens)
        ]
        yield [Sharing(player, table, seat) for seat, player in enumerate(players)]


async def posted(
    server: Served, path: str, token: str | None = None, body: Json | None = None
) -> httpx.Response:
    async with httpx.AsyncClient() as http:
        headers = bearer(token) if token else None
        return await http.post(f"{server.url}/api/tables/{path}", headers=headers, json=body)


def record_of(server: Served, table: str) -> str:
    return httpx.get(f"{server.url}/api/tables/{table}/record").raise_for_status().text


def verified(record: str, folder: Path) -> tuple[int, str]:
    path = folder / "served.json"
    path.write_text(record, "utf-8")
    told = subprocess.run(
        [sys.executable, "-m", "bullpen", "verify", str(path), "--lang", "en"],
        capture_output=True,
        text=True,
        check=False,
    )
    return told.returncode, told.stdout + told.stderr


# -- All open -----------------------------------------------------------------------------------


def test_a_game_with_everybodys_share_is_dealt_when_all_are_open_and_found_fair(
    calm: Served, tmp_path: Path
) -> None:
    table, tokens = table_of(calm, people(2, bots=1))

    async def story() -> list[Sharing]:
        async with sharers(calm, table, tokens) as both:
            for one in both:
                assert (await one.commit())["commitment"] == one.commitment
            starting = asyncio.create_task(posted(calm, f"{table}/start", tokens[0]))
            frozen = [await one.player.hear_of("open_shares") for one in both]
            listed = [one.commitment for one in both] + [None]
            assert [told["commitments"] for told in frozen] == [listed, listed]
            seal = both[0].player.told[0]["fair"]["commitment"]
            assert {told["commitment"] for told in frozen} == {seal}
            assert frozen[0]["seconds"] == 60
            await both[0].open()
            assert (await both[1].player.hear_of("opened"))["seats"] == [0]
            assert not starting.done()
            await both[1].open()
            assert (await starting).status_code == 200
            await asyncio.gather(*(one.player.hear_of("view") for one in both))
            await asyncio.gather(*(one.player.play_on() for one in both))
            return both

    both = asyncio.run(story())
    record = record_of(calm, table)
    fair = json.loads(record)["fair"]
    assert fair["table"] == table
    assert fair["shares"] == [both[0].share.hex(), both[1].share.hex(), None]
    assert fair["unopened"] == []
    assert both[0].player.ended["fair"] == {key: fair[key] for key in both[0].player.ended["fair"]}
    code, said = verified(record, tmp_path)
    assert code == 0, said
    assert "the deal was fair" in said
    assert "2 opened" in said


def test_nobody_is_told_a_share_before_the_game_is_over(calm: Served) -> None:
    table, tokens = table_of(calm, people(2))
    looked: list[str] = []

    async def look() -> None:
        async with httpx.AsyncClient() as http:
            paths = "tables", f"tables/{table}", f"tables/{table}/fair"
            looked.extend([(await http.get(f"{calm.url}/api/{path}")).text for path in paths])

    async def story() -> tuple[list[Sharing], list[Json]]:
        async with (
            sharers(calm, table, tokens) as both,
            seated(calm.url, table, None) as watcher,
        ):
            for one in both:
                await one.commit()
            await look()
            starting = asyncio.create_task(posted(calm, f"{table}/start", tokens[0]))
            await both[1].player.hear_of("open_shares")
            await both[0].open()
            await both[1].player.hear_of("opened")
            await look()
            async with seated(calm.url, table, tokens[1]) as again:
                assert again.told[0]["lobby"]["status"] == "opening"
            await both[1].open()
            await starting
            await look()
            async with seated(calm.url, table, tokens[1]) as again:
                assert again.told[0]["fair"]["unopened"] == []
            players = [one.player for one in both]
            await asyncio.gather(*(player.play_on() for player in (*players, watcher)))
            return both, [*players[0].told, *players[1].told, *watcher.told, *again.told]

    both, told = asyncio.run(story())
    early = json.dumps([one for one in told if one["type"] != "result"]) + "".join(looked)
    results = [one for one in told if one["type"] == "result"]
    assert len(results) == 3
    secret = results[0]["fair"]["secret"]
    for hidden in (both[0].share.hex(), both[1].share.hex(), secret):
        assert hidden not in early
        assert all(hidden in json.dumps(one) for one in results)


def test_a_table_without_shares_is_dealt_at_once(calm: Served, tmp_path: Path) -> None:
    table, tokens = table_of(calm, people(1, bots=1))
    answer = httpx.post(f"{calm.url}/api/tables/{table}/start", headers=bearer(tokens[0]))
    assert answer.status_code == 200
    asyncio.run(play_together(calm.url, table, tokens))
    code, said = verified(record_of(calm, table), tmp_path)
    assert code == 0
    assert "no player opened a share" in said


# -- What is refused ----------------------------------------------------------------------------


def test_while_shares_are_opened_the_table_stands_as_it_was_started(calm: Served) -> None:
    table, tokens = table_of(calm, people(3), listed=True)
    url = f"{calm.url}/api/tables/{table}"
    checked(httpx.post(f"{url}/kick", headers=bearer(tokens[0]), json={"seat": 2}))  # a free seat

    async def story() -> None:
        async with sharers(calm, table, tokens[:2]) as both:
            for one in both:
                await one.commit()
            starting = asyncio.create_task(posted(calm, f"{table}/start", tokens[0]))
            for one in both:
                await one.player.hear_of("open_shares")
            listed = httpx.get(f"{calm.url}/api/tables").json()
            assert [one["lobby"]["status"] for one in listed if one["table"]["id"] == table] == [
                "opening"
            ]
            other = {"commitment": share_commitment(table, 0, bytes(32))}
            refused = {
                "already_started": [
                    await posted(calm, f"{table}/join", None, {"name": "Cleo"}),
                    await posted(calm, f"{table}/start", tokens[0]),
                    await posted(calm, f"{table}/invite", tokens[0]),
                ],
                "being_dealt": [
                    await posted(calm, f"{table}/leave", tokens[1]),
                    await posted(calm, f"{table}/kick", tokens[0], {"seat": 1}),
                ],
                "commit_late": [await posted(calm, f"{table}/commit", tokens[0], other)],
                "not_over": [await posted(calm, f"{table}/rematch", tokens[0])],
            }
            for key, answers in refused.items():
                for answer in answers:
                    assert (answer.status_code, answer.json()["key"]) == (409, key)
            assert await both[0].refusal(type="commit", **other) == "commit_late"
            await both[0].player.say(type="look")
            seen = await both[0].player.hear_of("lobby")
            assert [seat["kind"] for seat in seen["lobby"]["seats"]] == ["program"] * 2 + ["bot"]
            for one in both:
                await one.open()
            assert (await starting).status_code == 200
            assert await both[0].refusal(type="commit", **other) == "commit_late"

    asyncio.run(story())


def test_two_starts_at_once_start_once(calm: Served) -> None:
    table, tokens = table_of(calm, people(1, bots=1))

    async def story() -> None:
        async with sharers(calm, table, tokens) as (anna,):
            await anna.commit()
            starts = [asyncio.create_task(posted(calm, f"{table}/start", tokens[0])) for _ in "ab"]
            await anna.player.hear_of("open_shares")
            await anna.open()
            answers = await asyncio.gather(*starts)
            assert sorted(answer.status_code for answer in answers) == [200, 409]
            await anna.player.hear_of("view")
            await anna.player.say(type="ping")
            while (message := await anna.player.hear())["type"] != "pong":
                assert message["type"] != "open_shares"

    asyncio.run(story())


def test_only_the_share_that_was_committed_to_can_be_opened(calm: Served) -> None:
    table, tokens = table_of(calm, people(3))

    async def story() -> None:
        async with sharers(calm, table, tokens) as (anna, bo, cleo):
            await anna.commit()
            # A copied commitment can be sent, but not opened: the seat is in it.
            await bo.player.say(type="commit", commitment=anna.commitment)
            await bo.player.hear_of("committed")
            assert await anna.refusal(type="open", share=anna.share.hex()) == "open_early"
            starting = asyncio.create_task(posted(calm, f"{table}/start", tokens[0]))
            await anna.player.hear_of("open_shares")
            assert await anna.refusal(type="open", share="00" * 32) == "share_wrong"
            assert await anna.refusal(type="open", share="00") == "message_field"
            assert await bo.refusal(type="open", share=anna.share.hex()) == "share_wrong"
            assert await cleo.refusal(type="open", share=cleo.share.hex()) == "share_unknown"
            async with seated(calm.url, table, None) as watcher:
                await watcher.say(type="open", share=anna.share.hex())
                assert (await watcher.hear_of("error"))["key"] == "only_players"
            await anna.open()
            await anna.open()  # once more does no harm
            for _ in "ab":
                assert (await anna.player.hear_of("opened"))["seats"] == [0]
            starting.cancel()

    asyncio.run(story())


def test_contributions_in_clear_are_refused_in_plain_words(calm: Served) -> None:
    table, tokens = table_of(calm, people(1, bots=1), listed=True)

    async def story() -> None:
        wish = {"name": "Cleo", "contribution": "4f1c9a"}
        for path, body in (("join", wish), ("start", {"contribution": "4f1c9a"})):
            answer = await posted(calm, f"{table}/{path}", tokens[0], body)
            assert (answer.status_code, answer.json()["key"]) == (422, "contribution_gone")
            assert "open it when you are asked" in answer.json()["message"]
        async with sharers(calm, table, tokens) as (anna,):
            assert anna.player.told[0]["version"] == 2
            assert await anna.refusal(type="contribute", text="4f1c9a") == "contribution_gone"

    asyncio.run(story())


def test_a_practice_table_has_no_shares(calm: Served) -> None:
    table, tokens = table_of(calm, people(1, bots=1), practice=7)

    async def story() -> None:
        async with sharers(calm, table, tokens) as (anna,):
            hashed = {"commitment": anna.commitment}
            assert await anna.refusal(type="commit", **hashed) == "no_shares_here"
            assert (await posted(calm, f"{table}/start", tokens[0])).status_code == 200

    asyncio.run(story())


def test_a_commitment_goes_with_who_made_it(calm: Served) -> None:
    """Whoever sits down on a seat that was left has to commit anew; and so has everybody in the next game."""
    table, tokens = table_of(calm, people(2))

    async def story() -> list[Json]:
        async with sharers(calm, table, tokens) as (anna, bo):
            await anna.commit()
            await bo.commit()
            assert (await posted(calm, f"{table}/leave", tokens[1])).status_code == 200
            invite = checked(await posted(calm, f"{table}/invite", tokens[0]))["invite"]
            wish = {"name": "Cleo", "invite": invite, "as": "program"}
            cleo = checked(await posted(calm, f"{table}/join", None, wish))["token"]
            starting = asyncio.create_task(posted(calm, f"{table}/start", tokens[0]))
            frozen = [await anna.player.hear_of("open_shares")]
            await anna.open()
            await starting
        await play_together(calm.url, table, [tokens[0], cleo])
        again = checked(await posted(calm, f"{table}/rematch", tokens[0]))
        assert (
            await posted(calm, f"{again['table']}/start", again["token"])
        ).status_code == 200  # at once: nobody has committed
        async with seated(calm.url, again["table"], again["token"]) as player:
            return [*frozen, player.told[0]["fair"]]

    first, second = asyncio.run(story())
    assert [bool(one) for one in first["commitments"]] == [True, False]
    assert second["commitments"] == [None, None]


def test_of_two_devices_at_one_seat_the_last_commitment_counts_and_both_know(
    calm: Served,
) -> None:
    table, tokens = table_of(calm, people(1, bots=1))

    async def story() -> None:
        async with sharers(calm, table, [tokens[0], tokens[0]]) as (phone, laptop):
            laptop.seat = 0
            await phone.commit()
            assert (await laptop.player.hear_of("committed"))["commitment"] == phone.commitment
            await laptop.commit()
            assert (await phone.player.hear_of("committed"))["commitment"] == laptop.commitment
            starting = asyncio.create_task(posted(calm, f"{table}/start", tokens[0]))
            frozen = await phone.player.hear_of("open_shares")
            assert frozen["commitments"] == [laptop.commitment, None]
            assert await phone.refusal(type="open", share=phone.share.hex()) == "share_wrong"
            await laptop.open()
            assert (await starting).status_code == 200

    asyncio.run(story())


# -- The attack of the older scheme -------------------------------------------------------------


async def kept_header(server: Served, table: str) -> Header:
    store = await open_store(server.settings["BULLPEN_DB"])
    kept = await store.header(table)
    await store.close()
    return Header.model_validate(kept)


def deal_of(header: Header, table: str, shares: list[bytes | None]) -> list[int]:
    """The first shuffle, as anybody could compute it who knows the secret and all shares."""
    secret = bytes.fromhex(header.secret)
    fair = Fairness(
        table, commitment(secret), secret, header.commitments, *counted(header.commitments, shares)
    )
    return shuffled(range(1, 10 * len(shares) + 5), fair, 0)  # the tactical deck


def test_who_knows_the_secret_has_no_door_to_choose_a_share(tmp_path: Path) -> None:
    """An operator who plays knows the secret, has all other shares, and tries until the deal suits."""
    with served(tmp_path, BULLPEN_OPEN_SECONDS="60", BULLPEN_MESSAGES="1000000") as server:
        table, tokens = table_of(server, people(3))

        async def story() -> tuple[Header, list[Sharing]]:
            async with sharers(server, table, tokens) as (operator, *honest):
                for one in (operator, *honest):
                    await one.commit()
                starting = asyncio.create_task(posted(server, f"{table}/start", tokens[0]))
                for one in (operator, *honest):
                    await one.player.hear_of("open_shares")
                for one in honest:
                    await one.open()
                header = await kept_header(server, table)
                known = [one.share for one in honest]
                chosen = max(
                    (secrets.token_bytes(32) for _ in range(3_000)),
                    key=lambda share: deal_of(header, table, [share, *known])[:10],
                )
                suiting = share_commitment(table, 0, chosen)
                told = {"commitment": suiting}
                assert await operator.refusal(type="open", share=chosen.hex()) == "share_wrong"
                assert await operator.refusal(type="commit", **told) == "commit_late"
                assert await operator.refusal(type="contribute", text="x") == "contribution_gone"
                assert (await posted(server, f"{table}/commit", tokens[0], told)).status_code == 409
                for body in ({"contribution": "x"}, {"share": chosen.hex()}):
                    answer = await posted(server, f"{table}/start", tokens[0], body)
                    assert answer.status_code == 422
                await operator.open()
                assert (await starting).status_code == 200
                players = [one.player for one in (operator, *honest)]
                await asyncio.gather(*(player.play_on() for player in players))
                return header, [operator, *honest]

        header, all_three = asyncio.run(story())
        match = replay(record_of(server, table))
    assert match.shuffles[0] == deal_of(header, table, [one.share for one in all_three])


# -- Not opened ---------------------------------------------------------------------------------


def test_a_share_that_is_not_opened_is_replaced_and_named_and_the_game_starts(
    tmp_path: Path,
) -> None:
    time_is_up = tmp_path / "time is up"

    async def story(server: Served, table: str, tokens: list[str]) -> tuple[Sharing, Sharing]:
        async with sharers(server, table, tokens) as (anna, bo):
            await anna.commit()
            await bo.commit()
            starting = asyncio.create_task(posted(server, f"{table}/start", tokens[0]))
            await anna.player.hear_of("open_shares")
            await anna.open()
            assert (await bo.player.hear_of("opened"))["seats"] == [0]
            assert not starting.done()
            time_is_up.touch()
            assert (await starting).status_code == 200
            assert await bo.refusal(type="open", share=bo.share.hex()) == "share_late"
            await anna.open()  # whoever is not sure may say it again
            assert (await anna.player.hear_of("opened"))["seats"] == [0]
            async with seated(server.url, table, None) as watcher:
                assert watcher.told[0]["fair"]["unopened"] == [1]
            players = anna.player, bo.player
            await asyncio.gather(*(player.play_on() for player in players))
            return anna, bo

    with served(tmp_path, UNTIL_TIME_IS_UP, TIME_IS_UP=str(time_is_up)) as server:
        table, tokens = table_of(server, people(2))
        anna, bo = asyncio.run(story(server, table, tokens))
        record = record_of(server, table)
    fair = json.loads(record)["fair"]
    assert fair["unopened"] == [1]
    replaced = b"bullpen-fair-2/unopened" + bytes.fromhex(bo.commitment)
    assert fair["shares"] == [anna.share.hex(), hashlib.sha256(replaced).hexdigest()]
    code, said = verified(record, tmp_path)
    assert code == 0
    assert "the deal was fair" in said
    assert "the share of P1 was not opened" in said


def test_who_has_committed_and_is_not_there_is_waited_for_and_then_named(tmp_path: Path) -> None:
    with served(tmp_path, BULLPEN_OPEN_SECONDS="0.5") as server:
        table, tokens = table_of(server, people(1, bots=1))
        hashed = {"commitment": share_commitment(table, 0, bytes(32))}
        url = f"{server.url}/api/tables/{table}"
        checked(httpx.post(f"{url}/commit", headers=bearer(tokens[0]), json=hashed))
        answer = httpx.post(f"{url}/start", headers=bearer(tokens[0]))
        assert answer.status_code == 200
        assert answer.elapsed.total_seconds() >= 0.5
        shown = httpx.get(url).json()
        assert shown["lobby"]["status"] == "playing"
        assert shown["fair"]["unopened"] == [0]


# -- A server that goes down --------------------------------------------------------------------


def test_a_server_killed_while_shares_are_opened_deals_the_same_cards(tmp_path: Path) -> None:
    with served(tmp_path, BULLPEN_OPEN_SECONDS="60") as server:
        table, tokens = table_of(server, people(2))
        mine: list[bytes] = []

        async def until_killed() -> Json:
            async with sharers(server, table, tokens) as both:
                for one in both:
                    await one.commit()
                    mine.append(one.share)
                starting = asyncio.create_task(posted(server, f"{table}/start", tokens[0]))
                frozen = await both[0].player.hear_of("open_shares")
                await both[0].open()
                await both[1].player.hear_of("opened")
                server.end(signal.SIGKILL)
                with pytest.raises(httpx.TransportError):
                    await starting
                return frozen

        frozen = asyncio.run(until_killed())
        header = asyncio.run(kept_header(server, table))
        assert header.state == "opening"
        server.start()

        async def after() -> None:
            async with sharers(server, table, tokens) as both:
                for one, share in zip(both, mine, strict=True):
                    one.share = share
                    told = one.player.told[0]
                    assert told["lobby"]["status"] == "opening"
                    assert told["fair"]["commitments"] == frozen["commitments"]
                    assert told["fair"]["commitment"] == frozen["commitment"]
                other = {"commitment": share_commitment(table, 0, bytes(32))}
                assert await both[0].refusal(type="commit", **other) == "commit_late"
                await both[1].open()  # in another order than before
                await both[0].player.hear_of("opened")
                await both[0].open()
                players = [one.player for one in both]
                await asyncio.gather(*(player.hear_of("view") for player in players))
                await asyncio.gather(*(player.play_on() for player in players))

        asyncio.run(after())
        match = replay(record_of(server, table))
        assert match.fair
        assert match.fair["unopened"] == []
        assert match.shuffles[0] == deal_of(header, table, [*mine])


def test_a_server_stopped_while_shares_are_opened_goes_on_with_it(tmp_path: Path) -> None:
    """In order: whoever waits for the start is told that the cards are not there yet."""
    with served(tmp_path, BULLPEN_OPEN_SECONDS="60") as server:
        table, tokens = table_of(server, people(1, bots=1))

        async def until_stopped() -> tuple[bytes, httpx.Response]:
            async with sharers(server, table, tokens) as (anna,):
                await anna.commit()
                starting = asyncio.create_task(posted(server, f"{table}/start", tokens[0]))
                await anna.player.hear_of("open_shares")
                assert await asyncio.to_thread(server.end) == 0
                return anna.share, await starting

        share, answer = asyncio.run(until_stopped())
        assert (answer.status_code, answer.json()["key"]) == (503, "not_dealt_yet")
        server.start()

        async def after() -> None:
            async with sharers(server, table, tokens) as (anna,):
                anna.share = share
                await anna.open()
                await anna.player.hear_of("view")

        asyncio.run(after())
        assert "Traceback" not in server.log.read_text()


# -- Tables of an older server ------------------------------------------------------------------


def old_header(secret: bytes, state: str) -> Json:
    """As older servers wrote it: without a scheme, with contributions in clear."""
    seats = [SeatTaken(kind="program", name=name, contribution=name * 2) for name in "AB"]
    header = Header(
        game="six-nimmt",
        options={"limit": 66, "memory_aid": False, **QUICK},
        seats=seats,
        secret=secret.hex(),
        commitment=commitment(secret),
        state=state,
    ).model_dump()
    del header["scheme"]
    for seat in header["seats"]:
        del seat["commitment"], seat["share"]
    return header


@pytest.fixture
def old_tables(tmp_path: Path) -> tuple[Served, list[str], list[list[str]], bytes]:
    """A running table and a lobby, left by an older server."""
    server, secret = served(tmp_path, BULLPEN_OPEN_SECONDS="60"), secrets.token_bytes(32)

    async def leave() -> list[list[str]]:
        store = await open_store(server.settings["BULLPEN_DB"])
        tokens = []
        for table, state in zip(tables, ("playing", "lobby"), strict=True):
            given = [new_token() for _ in "AB"]
            keys = [Key(token_hash(token), seat, "session") for seat, token in enumerate(given)]
            await store.create(table, "six-nimmt", old_header(secret, state), keys)
            tokens.append(given)
        await store.close()
        return tokens

    tables = ["p" * 16, "q" * 16]
    return server, tables, asyncio.run(leave()), secret


def test_a_table_that_an_older_server_began_is_dealt_by_its_own_scheme(
    old_tables: tuple[Served, list[str], list[list[str]], bytes], tmp_path: Path
) -> None:
    server, (table, _), (tokens, _), secret = old_tables
    with server:
        players = asyncio.run(play_together(server.url, table, tokens))
        record = record_of(server, table)
        assert "Traceback" not in server.log.read_text()
    assert players[0].ended["fair"]["scheme"] == "bullpen-fair-1"
    assert players[0].ended["fair"]["secret"] == secret.hex()
    old = OldFairness(commitment(secret), secret, ["AA", "BB"])
    match = replay(record)
    assert match.fair == old.as_json()
    assert match.shuffles[0] == shuffled(match.shuffles[0], old, 0)
    code, said = verified(record, tmp_path)
    assert code == 0
    assert "could have chosen the deal" in said


def test_a_lobby_of_an_older_server_is_dealt_by_the_new_scheme(
    old_tables: tuple[Served, list[str], list[list[str]], bytes],
) -> None:
    server, (_, table), (_, tokens), _ = old_tables
    with server:

        async def story() -> None:
            async with sharers(server, table, tokens) as both:
                assert both[0].player.told[0]["fair"]["scheme"] == "bullpen-fair-2"
                for one in both:
                    await one.commit()
                starting = asyncio.create_task(posted(server, f"{table}/start", tokens[0]))
                for one in both:
                    await one.player.hear_of("open_shares")
                    await one.open()
                assert (await starting).status_code == 200
                await asyncio.gather(*(one.player.play_on() for one in both))

        asyncio.run(story())
        fair = json.loads(record_of(server, table))["fair"]
    assert fair["scheme"] == "bullpen-fair-2"
    assert fair["unopened"] == []
    assert "contributions" not in fair
