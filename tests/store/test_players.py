"""Players in the store, on either database: codes that end, tables that lose a name, games that nobody came back to."""

from __future__ import annotations

import time

from bullpen.server.header import Header, Part, SeatTaken, without_former
from bullpen.server.store import Before, Key, Result
from tests.store.stories import a_store, in_loop


def header(state: str, *people: tuple[str, str | None], bots: int = 0) -> dict[str, object]:
    seats = [SeatTaken(kind="person", name=name, device=device) for name, device in people]
    seats += [SeatTaken(kind="bot", name="Bella")] * bots
    return Header(game="six-nimmt", options={}, seats=seats, state=state).model_dump()


@in_loop
async def test_a_code_is_good_once_and_only_in_time(url: str) -> None:
    async with a_store(url) as store:
        players = store.players
        anna = await players.meet("a" * 32, "Anna", 1, "en")
        assert await players.meet("a" * 32, "Anna", 5, "pl") == anna
        assert await players.give_code("a" * 32, "late", "once", time.time() - 1)
        assert await players.use_code("b" * 32, "late", 9) is None
        assert await players.give_code("a" * 32, "now", "once", time.time() + 60)
        assert await players.use_code("b" * 32, "now", 9) == anna
        assert await players.use_code("c" * 32, "now", 9) is None
        assert await players.devices("b" * 32) == ["a" * 32, "b" * 32]
        assert await players.give_code("c" * 32, "nobody", "once", time.time() + 60) is None
        assert await players.give_code("a" * 32, "full", "once", time.time() + 60)
        assert (
            await players.use_code("c" * 32, "full", 2) is None
        )  # as many devices as there may be


@in_loop
async def test_a_device_that_becomes_anothers_leaves_no_player_behind(url: str) -> None:
    async with a_store(url) as store:
        players = store.players
        await players.meet("a" * 32, "Anna", 1, "en")
        await players.meet("b" * 32, "Bert", 2, "de")
        await store.create("t", "six-nimmt", header("playing", ("Bert", "b" * 32), bots=1))
        await players.give_code("b" * 32, "old", "recovery", None)
        await players.give_code("a" * 32, "new", "once", time.time() + 60)
        await players.use_code("b" * 32, "new", 9)
        assert await players.use_code("c" * 32, "old", 9) is None
        own = await players.devices("a" * 32)
        assert [one.table for one in await players.running(own, 9)] == ["t"]
        assert await players.count_running(own) == 1


@in_loop
async def test_tables_that_nobody_keeps_lose_a_deleted_name_at_once_and_others_through_their_keeper(
    url: str,
) -> None:
    async with a_store(url) as store:
        players, anna = store.players, ("Anna", "a" * 32)
        await players.meet("a" * 32, "Anna", 1, "en")
        await players.meet("b" * 32, "Bert", 1, "en")
        for table, state in (("asleep", "playing"), ("kept", "playing"), ("alone", "playing")):
            others = [] if table == "alone" else [("Bert", "b" * 32)]
            await store.create(table, "six-nimmt", header(state, anna, *others, bots=1))
            await store.reseat(
                table, header(state, anna, *others, bots=1), (), [Key(table, 0, "session")]
            )
            await store.say(table, 0, "Anna", "I am Anna")
        await store.create("over", "six-nimmt", header("playing", anna, bots=1))
        result = [Result(0, "Anna", "a" * 32, 7, won=True), Result(1, "Bella", None, 9, won=False)]
        await store.finish("over", header("finished", anna, bots=1), "six-nimmt", result)
        await store.release("asleep")
        await store.release("alone")
        touched = [
            one.touched for one in await players.running(["a" * 32], 9) if one.table == "asleep"
        ]
        assert await players.delete("a" * 32, "Somebody", without_former) == ["a" * 32]
        await players.meet("a" * 32, "Anna", 1, "en")  # who sat down in this very moment
        assert await players.of("a" * 32) is None
        assert await players.is_former("a" * 32)
        for table, name, state in (
            ("asleep", "Somebody", "playing"),
            ("alone", "Somebody", "abandoned"),
            ("over", "Somebody", "finished"),
            ("kept", "Anna", "playing"),
        ):
            kept = await store.header(table)
            assert kept is not None
            assert (kept["seats"][0]["name"], kept["state"]) == (name, state)
            assert await store.chat(table) == []
            assert await store.keys(table) == []
        assert await players.former(time.time() + 60) == {"a" * 32: "Somebody"}  # by `kept`
        await store.release("kept")
        await players.forget_former(without_former)
        assert await players.former(time.time() + 60) == {}
        (at_table, other) = await players.running(["b" * 32], 9)
        assert {one.header["seats"][0]["name"] for one in (at_table, other)} == {"Somebody"}
        assert [one.touched for one in (at_table, other) if one.table == "asleep"] == touched
        assert await players.played(["a" * 32], None, None, 9) == []
        assert await store.statistics(device="a" * 32) == []


@in_loop
async def test_a_game_with_bots_that_nobody_came_back_to_ends_and_one_with_people_does_not(
    url: str,
) -> None:
    async with a_store(url) as store:
        await store.create("alone", "six-nimmt", header("playing", ("Anna", "a" * 32), bots=2))
        pair = header("playing", ("Anna", "a" * 32), ("Program", None), bots=1)
        await store.create("pair", "six-nimmt", pair)
        for table in ("alone", "pair"):
            await store.release(table)
        then = time.time() + 1
        assert await store.abandon(untouched_since=then, limit=9, who="alone") == ["alone"]
        assert [one.table for one in await store.players.running(["a" * 32], 9)] == ["pair"]
        assert await store.abandon(untouched_since=then, limit=9) == ["pair"]


@in_loop
async def test_finished_games_are_found_from_a_place_on_and_players_without_any_are_dropped(
    url: str,
) -> None:
    async with a_store(url) as store:
        players = store.players
        await players.meet("a" * 32, "Anna", 1, "en")
        await players.meet("b" * 32, "Looker", 1, "en")
        for number in range(3):
            table = f"t{number}"
            await store.create(table, "six-nimmt", header("playing", ("Anna", "a" * 32), bots=1))
            result = [
                Result(0, "Anna", "a" * 32, number, won=True),
                Result(1, "Bella", None, 9, won=False),
            ]
            await store.finish(
                table, header("finished", ("Anna", "a" * 32), bots=1), "six-nimmt", result
            )
        last, *_ = found = await players.played(["a" * 32], "six-nimmt", None, 2)
        assert [one.table for one in found] == ["t2", "t1"]
        assert [(one.name, one.score) for one in last.scores] == [("Anna", 2), ("Bella", 9)]
        place = Before(found[1].finished, found[1].table)
        assert [one.table for one in await players.played(["a" * 32], None, place, 2)] == ["t0"]
        assert await players.played(["a" * 32], "x-nimmt", None, 2) == []
        assert await players.drop_idle(time.time() + 60) == 1
        assert await players.of("b" * 32) is None
        assert await players.of("a" * 32) is not None


@in_loop
async def test_who_played_a_seat_before_somebody_took_it_over_is_forgotten_there_too(
    url: str,
) -> None:
    async with a_store(url) as store:
        players = store.players
        await players.meet("a" * 32, "Anna", 1, "en")
        part = Part(kind="person", name="Anna", decisions=3, device="a" * 32)
        seat = SeatTaken(kind="person", name="Bert", device="b" * 32, earlier=[part])
        kept = Header(game="six-nimmt", options={}, seats=[seat], state="playing").model_dump()
        await store.create("t", "six-nimmt", kept)
        await store.reseat("t", kept, (), [Key("berts", 0, "session")])
        await store.release("t")
        assert await players.running(["a" * 32], 9) == []
        await players.delete("a" * 32, "Somebody", without_former)
        (at_table,) = await players.running(["b" * 32], 9)
        assert at_table.header["seats"][0]["name"] == "Bert"
        assert at_table.header["seats"][0]["earlier"][0]["name"] == "Somebody"
        assert [key.hash for key in await store.keys("t")] == ["berts"]
