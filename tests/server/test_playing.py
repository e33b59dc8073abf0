"""Whole games over real sockets, by clients that know only docs/wire.md."""

import asyncio
import json
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from bullpen.games import GAMES
from bullpen.record import parsed, replay
from bullpen.server.wire.server_messages import SERVER_MESSAGE
from tests.patience import PATIENCE, until
from tests.server.running import Served, people, play_together, started_table

EXAMPLE = Path(__file__).parent.parent.parent / "examples" / "wire_bot.py"
SHORT = {"x-nimmt": {"rounds": 1}, "eleven-nimmt": {"rounds": 1}, "six-nimmt": {"rounds": 1}}

every_game = pytest.mark.parametrize("game", GAMES)


@every_game
def test_people_and_bots_play_a_whole_game(server: Served, game: str) -> None:
    options = SHORT.get(game, {})
    table, tokens = started_table(server.url, game, people(2, bots=1), options=options)
    players = asyncio.run(play_together(server.url, table, tokens))
    results = [player.result for player in players]
    assert all(result is not None for result in results)
    assert results[0] is not None
    record = httpx.get(f"{server.url}/api/tables/{table}/record").text
    match = replay(record)
    assert match.is_over
    assert match.scores == results[0]["scores"]
    assert match.winners == results[0]["winners"]
    assert parsed(record)["fair"]["secret"] == results[0]["fair"]["secret"]
    for player in players:
        for message in player.told:
            SERVER_MESSAGE.validate_json(json.dumps(message))


@every_game
def test_the_example_bot_plays_every_game(server: Served, game: str, tmp_path: Path) -> None:
    seats = people(2)
    body = {
        "game": game,
        "name": "Host",
        "seats": seats,
        "as": "program",
        "options": SHORT.get(game, {}),
    }
    made = httpx.post(f"{server.url}/api/tables", json=body).json()
    command = [sys.executable, str(EXAMPLE), server.url, made["table"], made["invite"]]
    bot = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    wait_for_join(server.url, made["table"])
    headers = {"authorization": f"Bearer {made['token']}"}
    started = httpx.post(f"{server.url}/api/tables/{made['table']}/start", headers=headers)
    assert started.status_code == 200
    (host,) = asyncio.run(play_together(server.url, made["table"], [made["token"]]))
    told, _ = bot.communicate(timeout=PATIENCE)
    assert bot.returncode == 0
    assert host.result is not None
    assert "Robo" in told or "Host" in told or "You" in told


def wait_for_join(url: str, table: str) -> None:
    def all_are_there() -> bool:
        lobby = httpx.get(f"{url}/api/tables/{table}").json()["lobby"]
        return all(seat["kind"] != "open" for seat in lobby["seats"])

    until(all_are_there, lambda: "the bot did not come")
