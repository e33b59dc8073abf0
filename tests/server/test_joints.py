"""Two things that are right by themselves, at the same table at once, in the wrong order, or twice."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

from tests.patience import until, until_soon
from tests.server.running import (
    RUN,
    Json,
    Served,
    bearer,
    checked,
    people,
    play_together,
    seated,
    served,
    started_table,
)
from tests.server.test_chairs import At, refused, run
from tests.server.test_players import SHORT, devices, refusal


async def played(server: Served, seats: list[Json]) -> tuple[str, list[str]]:
    table, tokens = started_table(server.url, "six-nimmt", seats, options=SHORT)
    await play_together(server.url, table, tokens)
    return table, tokens


# -- The next game ------------------------------------------------------------------------------


def test_who_comes_to_the_next_game_after_their_seat_was_taken_away_is_told_so(
    server: Served,
) -> None:
    async def story() -> None:
        table, (anna, _, cleo) = await played(server, people(3))
        async with At(server, table) as old:
            host = await old.do("rematch", anna)
            async with At(server, host["table"]) as new:
                await new.do("kick", host["token"], seat=2)
                await new.do("settings", host["token"], seats=2)
                assert refused(await old.ask("rematch", cleo)) == (409, "seat_taken")
                await new.do("settings", host["token"], seats=3)
                assert (await old.do("rematch", cleo))["seat"] == 2

    run(story())


def test_after_the_next_game_was_given_up_there_is_another_next_game(server: Served) -> None:
    async def story() -> None:
        table, (anna,) = await played(server, people(1, 1))
        async with At(server, table) as old:
            first = await old.do("rematch", anna)
            async with At(server, first["table"]) as new:
                await new.do("start", first["token"])
                await new.do("end", first["token"])
            second = await old.do("rematch", anna)
            assert second["table"] != first["table"]
            async with At(server, second["table"]) as new:
                assert (await new.seats())[0]["name"] == "P0"

    run(story())
