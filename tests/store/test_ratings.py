"""Ratings in the store, on either database: each game once, in order, whoever rates and whenever somebody is killed."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from bullpen.server.contestants import Contestant
from bullpen.server.header import Header, SeatTaken, without_former
from bullpen.server.retention import given_up_by_itself
from bullpen.server.store import NewEvent, Result, Store
from bullpen.server.store.connection import Connection
from bullpen.server.store.players import StillPlays
from bullpen.server.store.ratings import STEP, Known, Outcome
from bullpen.server.store.sql_store import SqlStore
from tests.store.stories import a_store, in_loop

ANNA, BERT, CELINA = ("a" * 32, "b" * 32, "c" * 32)
GAME = "six-nimmt"
NEW = Known(25.0, 8.0, 0)
FAR = 2**40


def header(*devices: str, bots: int = 0, state: str = "playing") -> dict[str, Any]:
    seats = [SeatTaken(kind="person", name=one[0], device=one) for one in devices]
    seats += [SeatTaken(kind="bot", name="Bella", level="medium")] * bots
    return Header(game=GAME, options={}, seats=seats, state=state).model_dump()


def counted(
    _game: str,
    field: Sequence[Mapping[str, Any]],
    whose: Mapping[str, str],
    known: Mapping[str, Known],
    new: Known,
) -> dict[str, Outcome]:
    """A rating that shows which games it was made of: one more for each, two where it was won."""
    found = {}
    for one in field:
        if player := whose.get(one["device"]):
            mu = known.get(player, new).mu + (2 if one["rank"] == 0 else 1)
            found[player] = Outcome(mu, 5.0, mu - 10)
    return found


async def finished(store: Store, table: str, *devices: str) -> None:
    """The first has won."""
    await store.create(table, GAME, header(*devices))
    field = [Contestant(seat, float(seat), one)._asdict() for seat, one in enumerate(devices)]
    results = [Result(seat, one[0], one, seat, not seat) for seat, one in enumerate(devices)]
    await store.finish(table, header(*devices), GAME, results, field)


async def people(store: Store, *devices: str) -> None:
    for one in devices:
        await store.players.meet(one, one[0], 1, "en")


async def points(store: Store, *devices: str) -> list[float]:
    return [one.mu for own in devices for one in await store.ratings.standings(own)]


@in_loop
async def test_each_game_is_rated_once_however_often_somebody_asks(url: str) -> None:
    async with a_store(url) as store:
        await people(store, ANNA, BERT)
        await finished(store, "one", ANNA, BERT)
        await finished(store, "two", BERT, ANNA)
        assert await store.ratings.are_waiting(FAR)
        assert await store.ratings.rate_some(FAR, 9, NEW, counted) == 2
        assert await store.ratings.rate_some(FAR, 9, NEW, counted) == 0
        assert not await store.ratings.are_waiting(FAR)
        assert await points(store, ANNA, BERT) == [28.0, 28.0]
        # A second end of the same table, as after a lost answer, changes nothing.
        field = [Contestant(0, 0.0, ANNA)._asdict()]
        await store.finish("one", header(ANNA, BERT), GAME, [], field)
        assert not await store.ratings.are_waiting(FAR)


@in_loop
async def test_what_has_only_just_ended_waits_for_what_may_have_ended_before(url: str) -> None:
    async with a_store(url) as store:
        await people(store, ANNA, BERT)
        await finished(store, "one", ANNA, BERT)
        assert await store.ratings.rate_some(time.time() - 60, 9, NEW, counted) == 0
        assert await store.ratings.is_waiting("one")


@in_loop
async def test_who_rates_is_told_whose_device_has_changed_hands_since_the_first_card(
    url: str,
) -> None:
    told = {}

    def noted(_game: str, field: Sequence[Mapping[str, Any]], *_: object) -> Mapping[str, Outcome]:
        told.update({one["device"]: one["has_moved"] for one in field})
        return {}

    async with a_store(url) as store:
        await people(store, ANNA, BERT)
        await store.players.give_code(ANNA, "before", "once", FAR)
        assert await store.players.use_code("d" * 32, "before", 20)
        await store.create("one", GAME, header(ANNA, BERT, CELINA, "d" * 32))
        await store.append("one", 1, [NewEvent(None, None, "shuffle", {"cards": []})])
        await people(store, CELINA)  # who they are was written down late
        await store.players.give_code(ANNA, "later", "once", FAR)
        assert await store.players.use_code(BERT, "later", 20)
        devices = (ANNA, BERT, CELINA, "d" * 32)
        field = [Contestant(seat, 0.0, one)._asdict() for seat, one in enumerate(devices)]
        await store.finish("one", header(*devices), GAME, [], field)
        await store.ratings.rate_some(FAR, 9, NEW, noted)
        assert told == {ANNA: False, BERT: True, CELINA: False, "d" * 32: False}


@in_loop
async def test_a_device_stays_with_a_player_who_has_others_until_its_games_are_rated(
    url: str,
) -> None:
    phone = "d" * 32
    async with a_store(url) as store:
        await people(store, ANNA, CELINA)
        await store.players.give_code(ANNA, "own", "once", FAR)
        assert await store.players.use_code(phone, "own", 20)
        await store.players.give_code(CELINA, "other", "once", FAR)
        await store.create("one", GAME, header(ANNA, BERT))
        with pytest.raises(StillPlays):
            await store.players.use_code(ANNA, "other", 20)
        field = [Contestant(0, 0.0, ANNA)._asdict()]
        await store.finish("one", header(ANNA, BERT), GAME, [], field)
        with pytest.raises(StillPlays):
            await store.players.use_code(ANNA, "other", 20)
        await store.ratings.rate_some(FAR, 9, NEW, counted)
        assert await store.players.use_code(ANNA, "other", 20)  # the code is still good
        assert await points(store, phone, CELINA) == [27.0]


@in_loop
async def test_games_are_rated_in_the_order_in_which_they_ended(url: str) -> None:
    async with a_store(url) as store:
        await people(store, ANNA, BERT)
        names = ["zoe", "max", "kim", "ada"]
        for name in names:
            await finished(store, name, ANNA, BERT)
            await asyncio.sleep(0.002)
        for _ in names:
            await store.ratings.rate_some(FAR, 1, NEW, counted)
        history = await store.ratings.history(ANNA, GAME, 9)
        assert [one.table for one in history] == names[::-1]
        assert [one.number for one in history] == [4, 3, 2, 1]
        assert [one.mu_before for one in history] == [one.mu for one in history[1:]] + [NEW.mu]


@in_loop
async def test_several_processes_that_rate_at_once_rate_nothing_twice(
    request: pytest.FixtureRequest,
) -> None:
    url: str = request.getfixturevalue("postgres_url")
    async with a_store(url) as store, a_store(url) as other, a_store(url) as third:
        await people(store, ANNA, BERT)
        for number in range(30):
            await finished(store, f"t{number}", ANNA, BERT)

        async def rate(one: Store) -> None:
            while await one.ratings.are_waiting(FAR):
                await one.ratings.rate_some(FAR, 2, NEW, counted)

        await asyncio.gather(*(rate(one) for one in (store, other, third)))
        assert await points(store, ANNA, BERT) == [25.0 + 60, 25.0 + 30]
        history = await store.ratings.history(ANNA, GAME, 99)
        assert [one.number for one in history] == list(range(30, 0, -1))


@in_loop
async def test_a_fault_while_rating_leaves_everything_as_it_was(url: str) -> None:
    def broken(*of: Any) -> dict[str, Outcome]:
        out = counted(*of)
        if out[next(iter(out))].mu > 27:  # the second game
            raise ZeroDivisionError
        return out

    async with a_store(url) as store:
        await people(store, ANNA, BERT)
        await finished(store, "one", ANNA, BERT)
        await asyncio.sleep(0.002)
        await finished(store, "two", ANNA, BERT)
        with pytest.raises(ZeroDivisionError):
            await store.ratings.rate_some(FAR, 9, NEW, broken)
        assert await points(store, ANNA) == []
        assert await store.ratings.rate_some(FAR, 9, NEW, counted) == 2
        assert await points(store, ANNA, BERT) == [29.0, 27.0]


@in_loop
async def test_a_leaderboard_goes_by_the_careful_end_in_pages_and_knows_who_asks(url: str) -> None:
    async with a_store(url) as store:
        devices = [f"{number:032}" for number in range(30)]
        await people(store, *devices)
        for number, one in enumerate(devices):
            for game in range(number + 1):
                await finished(store, f"t{number} {game}", one)
        while await store.ratings.rate_some(FAR, 100, NEW, counted):
            pass
        first = await store.ratings.page(GAME, 1, 25, devices[0])
        rest = await store.ratings.page(GAME, 26, 25, devices[0])
        assert [one.games for one in (*first, *rest)] == list(range(30, 0, -1))
        assert [one.place for one in (*first, *rest)] == list(range(1, 31))
        assert [one.place for one in (*first, *rest) if one.is_you] == [30]
        (own,) = await store.ratings.standings(devices[7])
        assert (own.place, own.of, own.games) == (23, 30, 8)
        assert await store.ratings.page("x-nimmt", 1, 25, "") == []


@in_loop
async def test_places_far_down_are_counted_from_the_nearest_mark(url: str) -> None:
    count = 2 * STEP + 100

    def fill(connection: Connection) -> None:
        for number in range(count):
            who, careful = f"{number:06}", float(number // 2)  # two share each
            row = (who, f"P{number}", 1, "en", 0.0)
            connection.run("INSERT INTO player VALUES (?, ?, ?, ?, ?)", *row)
            connection.run("INSERT INTO device VALUES (?, ?, ?)", f"d{number}", who, 0.0)
            rating = (GAME, who, careful + 10, 5.0, careful, 9)
            connection.run("INSERT INTO rating VALUES (?, ?, ?, ?, ?, ?)", *rating)

    async with a_store(url) as store:
        assert isinstance(store, SqlStore)
        await store.writer.do("", fill)
        for first in (1, STEP - 3, STEP + 1, 2 * STEP + 76):
            found = await store.ratings.page(GAME, first, 25, "")
            assert [one.place for one in found] == list(range(first, first + 25))
            assert [one.name for one in found] == [f"P{count - one.place}" for one in found]
        for number in (0, 1, 99, STEP, count - 1):
            (own,) = await store.ratings.standings(f"d{number}")
            assert (own.place, own.of) == (count - number, count)
        assert await store.ratings.page(GAME, 4 * STEP, 25, "") == []


@in_loop
async def test_who_is_rated_after_a_look_at_the_empty_leaderboard_stands_on_it_at_once(
    url: str,
) -> None:
    async with a_store(url) as store:
        await people(store, ANNA, BERT)
        assert await store.ratings.page(GAME, 1, 25, ANNA) == []
        await finished(store, "one", ANNA, BERT)
        await store.ratings.rate_some(FAR, 9, NEW, counted)
        assert [one.place for one in await store.ratings.page(GAME, 1, 25, ANNA)] == [1, 2]
        own = [(await store.ratings.standings(one))[0].place for one in (ANNA, BERT)]
        assert sorted(own) == [1, 2]


@in_loop
async def test_whoever_is_deleted_has_no_rating_any_more_and_what_waits_counts_for_the_others(
    url: str,
) -> None:
    async with a_store(url) as store:
        await people(store, ANNA, BERT)
        await finished(store, "one", ANNA, BERT)
        await store.ratings.rate_some(FAR, 9, NEW, counted)
        await finished(store, "two", ANNA, BERT)
        told = await store.players.data_of(ANNA)
        assert told is not None
        assert [one["mu"] for one in told["ratings"]] == [27.0]
        assert [one["table_id"] for one in told["rating_changes"]] == ["one"]
        await store.players.delete(ANNA, "Former player", without_former)
        await store.ratings.rate_some(FAR, 9, NEW, counted)
        assert await points(store, ANNA) == []
        assert await store.ratings.count(GAME) == 1
        assert [one.name for one in await store.ratings.page(GAME, 1, 9, "")] == ["b"]
        assert await points(store, BERT) == [27.0]


@in_loop
async def test_two_players_who_become_one_keep_what_more_games_have_shown(url: str) -> None:
    async with a_store(url) as store:
        await people(store, ANNA, BERT, CELINA)
        await finished(store, "one", ANNA, BERT)
        await finished(store, "two", BERT, CELINA)
        await store.ratings.rate_some(FAR, 9, NEW, counted)
        await store.players.give_code(ANNA, "code", "once", time.time() + 60)
        await store.players.use_code(BERT, "code", 9)
        (own,) = await store.ratings.standings(ANNA)
        assert (own.games, own.mu) == (2, 28.0)
        assert own == (await store.ratings.standings(BERT))[0]
        changes = await store.ratings.changes(ANNA, ["one", "two"])
        assert sorted(changes) == ["one", "two"]
        assert len(await store.ratings.page(GAME, 1, 9, "")) == 2


@in_loop
async def test_a_game_with_bots_that_ends_by_itself_waits_to_be_rated_and_one_of_people_does_not(
    url: str,
) -> None:
    async with a_store(url) as store:
        await store.create("alone", GAME, header(ANNA, bots=2))
        await store.create("two", GAME, header(ANNA, BERT))
        for table in ("alone", "two"):
            await store.release(table)
        given = await store.abandon(
            untouched_since=FAR, limit=9, who="all", give_up=given_up_by_itself
        )
        assert sorted(given) == ["alone", "two"]
        assert await store.ratings.is_waiting("alone")
        assert not await store.ratings.is_waiting("two")
        await store.ratings.rate_some(FAR, 9, NEW, counted)
        field = [Contestant(0, 0.0, ANNA)._asdict()]
        await store.reseat("alone", header(ANNA, bots=2), (), (), field)
        assert not await store.ratings.is_waiting("alone")  # it was rated, once for all
