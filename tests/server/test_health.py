"""`/healthz` says what a move would meet: it writes."""

from __future__ import annotations

import asyncio
from pathlib import Path

import apsw
import httpx

from tests.patience import until
from tests.postgres import Postgres, postgres, postgres_url  # noqa: F401
from tests.server.running import RUN, Served, new_table, people, seated, started_table

FULL_WHILE_THERE_IS_A_FILE = """
import os, apsw
from tests.store.disks import Disk

class Full(Disk):
    def try_to(self, do):
        self.failing = apsw.FullError if os.path.exists({flag!r}) else None
        super().try_to(do)

disk = Full()
{run}
"""


def health(server: Served) -> tuple[int, str]:
    answer = httpx.get(f"{server.url}/healthz")
    return answer.status_code, answer.json().get("key", "")


def wait_for(server: Served, expected: tuple[int, str]) -> None:
    until(lambda: health(server) == expected, lambda: health(server))


def test_a_server_on_a_full_disk_says_so_and_is_well_again_when_there_is_room(
    tmp_path: Path,
) -> None:
    async def refused_move(server: Served, table: str, token: str) -> str:
        async with seated(server.url, table, token) as anna:
            return str((await anna.move())["type"])

    flag = tmp_path / "full"
    run = FULL_WHILE_THERE_IS_A_FILE.format(flag=str(flag), run=RUN)
    url = f"sqlite:///{tmp_path}/tables.db?vfs=disk-0"
    with Served(url, tmp_path / "log.txt", run) as server:
        table, tokens = started_table(server.url, "six-nimmt", people(2))
        assert health(server) == (200, "")
        flag.touch()
        wait_for(server, (503, "store_full"))
        assert asyncio.run(refused_move(server, table, tokens[0])) == "refused"
        assert httpx.get(f"{server.url}/api/tables/{table}").status_code == 200  # reads go on
        flag.unlink()
        wait_for(server, (200, ""))
        assert asyncio.run(refused_move(server, table, tokens[0])) == "accepted"
        assert "Traceback" not in server.log.read_text()


def test_a_server_whose_database_is_away_says_so(
    postgres: Postgres,  # noqa: F811
    postgres_url: str,  # noqa: F811
    tmp_path: Path,
) -> None:
    with Served(postgres_url, tmp_path / "log.txt") as server:
        postgres.stop()
        try:
            wait_for(server, (503, "store_lost"))
        finally:
            postgres.start()
        wait_for(server, (200, ""))


def test_a_table_whose_header_is_damaged_is_set_aside_as_one_with_damaged_events(
    tmp_path: Path,
) -> None:
    with Served(f"sqlite:///{tmp_path}/tables.db", tmp_path / "log.txt") as server:
        damaged, _ = started_table(server.url, "six-nimmt", people(2))
        lobby, _ = new_table(server.url, "six-nimmt", people(2), listed=True)
        sound, _ = started_table(server.url, "six-nimmt", people(2))
        server.end()
        for change in ("replace(header, '6', '7')", "'{}'"):
            file = apsw.Connection(str(tmp_path / "tables.db"))
            file.execute(f"UPDATE game_table SET header = {change} WHERE id <> ?", [sound])
            file.close()
            server.start()
            for table in (damaged, lobby):
                answer = httpx.get(f"{server.url}/api/tables/{table}")
                assert (answer.status_code, answer.json()["key"]) == (410, "table_damaged")
            assert httpx.get(f"{server.url}/api/tables/{sound}").status_code == 200
            assert httpx.get(f"{server.url}/api/tables").status_code == 200
            server.end()
        assert "Traceback" not in server.log.read_text()
