"""The same on PostgreSQL, and with several servers on one database."""

import asyncio
import signal
from pathlib import Path

import httpx
import psycopg

from bullpen.record import replay
from tests.patience import PATIENCE, until, until_soon
from tests.postgres import postgres, postgres_url  # noqa: F401
from tests.server.running import (
    RUN,
    Json,
    Player,
    Served,
    bearer,
    new_table,
    people,
    play_together,
    seated,
    started_table,
)

SHORT = {"rounds": 1, "deck": "tactical"}


def test_a_whole_game_on_postgresql(postgres_url: str, tmp_path: Path) -> None:  # noqa: F811
    with Served(postgres_url, tmp_path / "log.txt") as server:
        table, tokens = started_table(server.url, "six-nimmt", people(2, bots=1), options=SHORT)
        assert asyncio.run(greeted(server.url, table, tokens[0])) == ["hello", None]
        players = asyncio.run(play_together(server.url, table, tokens))
        record = httpx.get(f"{server.url}/api/tables/{table}/record").text
        assert replay(record).scores == players[0].ended["scores"]


def test_a_table_needs_no_lock_of_its_own(postgres_url: str, tmp_path: Path) -> None:  # noqa: F811
    """All databases of a PostgreSQL share some thousand of them: at so many tables nobody could move any more."""
    with Served(postgres_url, tmp_path / "log.txt") as server:
        tables = [started_table(server.url, "six-nimmt", people(1, bots=1)) for _ in range(12)]
        (table, tokens), *_ = tables
        assert asyncio.run(moved(server.url, table, tokens[0]))["type"] == "accepted"
        with psycopg.connect(postgres_url) as database:
            locks = "SELECT COUNT(*) FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database"
            own = " WHERE locktype = 'advisory' AND datname = current_database()"
            assert database.execute(f"{locks}{own}".encode()).fetchone() == (1,)


async def moved(url: str, table: str, token: str) -> Json:
    async with seated(url, table, token) as anna:
        return await anna.move()


async def greeted(url: str, table: str, token: str) -> list[str | None]:
    """By a phrase and by words; as they are found again."""
    async with seated(url, table, token) as anna:
        await anna.say(type="chat", phrase="hello")
        await anna.hear_of("chat")
        await anna.say(type="chat", text="hello")
        await anna.hear_of("chat")
    async with seated(url, table, token) as anna:
        return [line["phrase"] for line in anna.told[0]["chat"]]


async def moved_and_looked(player: Player) -> Json:
    await player.move()
    await player.say(type="look")
    return await player.hear_of("view")


async def goes_on(url: str, table: str, tokens: list[str], before: Json) -> None:
    """The first seat finds the table there as it left it, and the game is played to its end."""
    async with seated(url, table, tokens[0]) as anna:
        assert anna.shown["places"] == before["places"]
        assert anna.shown["decision"] == before["decision"]
    await play_together(url, table, tokens)


def test_a_table_is_kept_by_one_server_and_taken_over_when_it_dies(
    postgres_url: str,  # noqa: F811
    tmp_path: Path,
) -> None:
    async def story(one: Served, other: Served) -> None:
        table, tokens = started_table(one.url, "six-nimmt", people(2), options=SHORT)
        async with seated(one.url, table, tokens[0]) as anna:
            before = await moved_and_looked(anna)
            answer = httpx.get(f"{other.url}/api/tables/{table}")
            assert (answer.status_code, answer.json()["key"]) == (503, "table_elsewhere")
            one.end(signal.SIGKILL)
        # The database has to notice first.
        await until_soon(lambda: httpx.get(f"{other.url}/api/tables/{table}").status_code == 200)
        await goes_on(other.url, table, tokens, before)

    one = Served(postgres_url, tmp_path / "one.txt")
    other = Served(postgres_url, tmp_path / "other.txt")
    with one, other:
        asyncio.run(story(one, other))


def test_a_table_made_at_one_server_is_played_at_another(
    postgres_url: str,  # noqa: F811
    tmp_path: Path,
) -> None:
    """As behind a proxy that sends all requests of a table to the same server."""
    one = Served(postgres_url, tmp_path / "one.txt")
    other = Served(postgres_url, tmp_path / "other.txt")
    with one, other:
        table, tokens = started_table(one.url, "six-nimmt", people(2, bots=1), options=SHORT)
        players = asyncio.run(play_together(other.url, table, tokens))
        assert players[0].ended["scores"] == players[1].ended["scores"]
        record = httpx.get(
            f"{one.url}/api/tables/{table}/record"
        ).text  # it is over: anybody may read
        assert replay(record).scores == players[0].ended["scores"]


def test_people_follow_their_table_to_another_server(
    postgres_url: str,  # noqa: F811
    tmp_path: Path,
) -> None:
    async def story(one: Served, other: Served) -> None:
        table, tokens = started_table(one.url, "six-nimmt", people(2), options=SHORT)
        async with seated(one.url, table, tokens[0]) as anna:
            before = await moved_and_looked(anna)
            async with seated(other.url, table, tokens[1]) as bert:
                await asyncio.wait_for(anna.socket.wait_closed(), PATIENCE)
                assert anna.socket.close_code == 1012
                assert bert.shown["chosen"] == [0]
        await goes_on(other.url, table, tokens, before)

    hasty = f"import bullpen.server.house as house; house.LEAST_KEPT_SECONDS = 0; {RUN}"
    one = Served(postgres_url, tmp_path / "one.txt", hasty)
    other = Served(postgres_url, tmp_path / "other.txt", hasty)
    with one, other:
        asyncio.run(story(one, other))
        assert "Traceback" not in one.log.read_text() + other.log.read_text()


def test_every_server_lists_the_tables_of_all(postgres_url: str, tmp_path: Path) -> None:  # noqa: F811
    one = Served(postgres_url, tmp_path / "one.txt")
    other = Served(postgres_url, tmp_path / "other.txt")
    with one, other:
        listed, _ = new_table(one.url, "x-nimmt", people(2), listed=True)
        hidden, _ = new_table(one.url, "x-nimmt", people(2))
        for server in (one, other):
            found = httpx.get(f"{server.url}/api/tables").json()
            ids = [shown["table"]["id"] for shown in found]
            assert listed in ids
            assert hidden not in ids
        (shown,) = [
            s for s in httpx.get(f"{other.url}/api/tables").json() if s["table"]["id"] == listed
        ]
        assert shown["lobby"]["status"] == "waiting"


HASTY_LEASE = (
    f"import bullpen.server.store.sql_store as sql_store; sql_store.LEASE_SECONDS = 2.0; {RUN}"
)


def test_a_table_of_a_server_that_hangs_is_played_on_elsewhere_and_let_go_by_who_wakes_up(
    postgres_url: str,  # noqa: F811
    tmp_path: Path,
) -> None:
    async def story(one: Served, other: Served) -> None:
        table, tokens = started_table(one.url, "six-nimmt", people(2), options=SHORT)
        async with seated(one.url, table, tokens[0]) as anna:
            before = await moved_and_looked(anna)
            assert one.process is not None
            one.process.send_signal(signal.SIGSTOP)
            async with httpx.AsyncClient() as http:
                while (await http.get(f"{other.url}/api/tables/{table}")).status_code != 200:
                    pass  # each time it has waited for the one that hangs
            async with seated(other.url, table, tokens[1]) as bert:
                assert bert.shown["chosen"] == [0]
                assert (await bert.move())["type"] == "accepted"
            await anna.say(type="move", decision=before["decision"]["number"] + 1, action=1)
            one.process.send_signal(signal.SIGCONT)
            assert (await anna.hear_of("closing"))["key"] == "table_elsewhere"
            await asyncio.wait_for(anna.socket.wait_closed(), PATIENCE)
            assert anna.socket.close_code == 1012
        answered = [told["type"] for told in anna.told]
        assert answered.count("accepted") == 1  # before it hung
        await play_together(other.url, table, tokens)
        assert '"table elsewhere"' in one.log.read_text()

    one = Served(postgres_url, tmp_path / "one.txt", HASTY_LEASE)
    other = Served(postgres_url, tmp_path / "other.txt", HASTY_LEASE)
    with one, other:
        asyncio.run(story(one, other))
        assert "Traceback" not in one.log.read_text() + other.log.read_text()


def test_games_go_on_by_themselves_after_a_start_only_if_something_happened_lately(
    postgres_url: str,  # noqa: F811
    tmp_path: Path,
) -> None:
    server = Served(postgres_url, tmp_path / "log.txt", BULLPEN_LOG="info")
    with server:
        lately, _ = started_table(server.url, "six-nimmt", people(2), options=SHORT)
        long_ago, tokens = started_table(server.url, "six-nimmt", people(2), options=SHORT)
        lobby, _ = new_table(server.url, "six-nimmt", people(2), listed=True)
        server.end(signal.SIGKILL)
        with psycopg.connect(postgres_url) as database:
            database.execute(
                "UPDATE game_table SET touched = touched - 7200 WHERE id = %s", [long_ago]
            )
        server.start()
        until(lambda: '"tables restored"' in server.log.read_text().rpartition('"serving"')[2])
        assert httpx.get(f"{server.url}/healthz").json()["tables"] == 1
        listed = httpx.get(f"{server.url}/api/tables").json()
        assert [shown["table"]["id"] for shown in listed] == [lobby]
        asyncio.run(play_together(server.url, long_ago, tokens))
        assert httpx.get(f"{server.url}/api/tables/{lately}").status_code == 200


def test_all_who_ask_for_another_game_come_to_one_table_whichever_server_they_ask(
    postgres_url: str,  # noqa: F811
    tmp_path: Path,
) -> None:
    """A finished table is kept by nobody: each server has what it read of it."""

    async def story(one: Served, other: Served) -> None:
        table, tokens = started_table(one.url, "six-nimmt", people(2), options=SHORT)
        await play_together(one.url, table, tokens)
        async with httpx.AsyncClient() as http:
            for server in (one, other):  # both know that there is no next table
                shown = await http.get(f"{server.url}/api/tables/{table}")
                assert shown.json()["lobby"]["rematch"] is None
            asked = (
                http.post(f"{server.url}/api/tables/{table}/rematch", headers=bearer(token))
                for server, token in zip((one, other), tokens, strict=True)
            )
            answers = [answer.json() for answer in await asyncio.gather(*asked)]
            assert answers[0]["table"] == answers[1]["table"]
            assert [answer["seat"] for answer in answers] == [0, 1]
            muted = {"seat": 1, "muted": True}
            address = f"{other.url}/api/tables/{table}"
            await http.post(f"{address}/mute", json=muted, headers=bearer(tokens[0]))
            lobby = (await http.get(address)).json()["lobby"]
            assert lobby["rematch"] == answers[0]["table"]
            assert lobby["seats"][1]["muted"] is True

    one = Served(postgres_url, tmp_path / "one.txt")
    other = Served(postgres_url, tmp_path / "other.txt")
    with one, other:
        asyncio.run(story(one, other))
        assert "Traceback" not in one.log.read_text() + other.log.read_text()
