"""What waits to be judged, and what was found, on either database: each game once, one process at a time."""

from __future__ import annotations

import time

import pytest

from bullpen.server.header import without_former
from bullpen.server.store.quality import MOST_TRIES, TAKEN_SECONDS, Tally
from tests.store.stories import a_store, in_loop
from tests.store.test_ratings import ANNA, BERT, GAME, finished, people

FOUND = [(ANNA, Tally(4, 2.0, 1.5)), (BERT, Tally(2, 3.0, 5.0))]


@in_loop
async def test_each_game_counts_once_and_adds_up(url: str) -> None:
    async with a_store(url) as store:
        await people(store, ANNA, BERT)
        await finished(store, "one", ANNA, BERT)
        await finished(store, "two", ANNA)
        for _ in range(2):
            table = await store.judgements.take()
            assert table is not None
            assert await store.judgements.judged(table, FOUND if table == "one" else FOUND[:1])
            assert not await store.judgements.judged(table, FOUND)
        assert await store.judgements.take() is None
        assert not await store.judgements.are_waiting()
        ((game, sums),) = await store.judgements.of(ANNA)
        assert (game, sums) == (GAME, (2, 8, 4.0, 3.0, 8.0, 16.0, 32.0))
        ((_, other),) = await store.judgements.of(BERT)
        assert other.mean == 1.5
        # A second end of the same table changes nothing, and a new one waits.
        await finished(store, "three", ANNA)
        assert await store.judgements.take() == "three"


@in_loop
async def test_who_is_deleted_is_judged_no_more_and_two_who_become_one_add_up(url: str) -> None:
    async with a_store(url) as store:
        await people(store, ANNA, BERT)
        await finished(store, "one", ANNA, BERT)
        await store.judgements.judged("one", FOUND)
        await finished(store, "two", BERT)
        await store.judgements.judged("two", FOUND[1:])
        told = await store.players.data_of(BERT)
        assert told is not None
        assert [one["table_id"] for one in told["judged_games"]] == ["one", "two"]
        await store.players.give_code(ANNA, "code", "once", time.time() + 60)
        await store.players.use_code(BERT, "code", 9)
        ((_, sums),) = await store.judgements.of(BERT)
        assert (sums.games, sums.decisions, sums.lost) == (2, 6, 5.0)
        await finished(store, "three", ANNA)
        await store.players.delete(ANNA, "Former player", without_former)
        assert await store.judgements.judged("three", FOUND)
        assert await store.judgements.of(ANNA) == []


@in_loop
async def test_a_game_that_cannot_be_judged_is_left_alone_after_some_tries(url: str) -> None:
    async with a_store(url) as store:
        await people(store, ANNA)
        await finished(store, "one", ANNA)
        for _ in range(MOST_TRIES):
            assert await store.judgements.take() == "one"
            await store.judgements.put_back("one")
        assert await store.judgements.take() is None
        assert not await store.judgements.are_waiting()


@in_loop
async def test_one_of_several_processes_judges_at_a_time_and_another_goes_on_when_it_is_silent(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    url: str = request.getfixturevalue("postgres_url")
    async with a_store(url) as store, a_store(url) as other:
        await people(store, ANNA)
        await finished(store, "one", ANNA)
        await finished(store, "two", ANNA)
        taken = await store.judgements.take()
        assert taken is not None
        assert await other.judgements.take() is None
        later = time.time() + TAKEN_SECONDS + 1
        with monkeypatch.context() as clock:
            clock.setattr(time, "time", lambda: later)
            await store.judgements.still_at_it(taken)
            assert await other.judgements.take() is None
        with monkeypatch.context() as clock:
            clock.setattr(time, "time", lambda: later + TAKEN_SECONDS + 1)
            assert await other.judgements.take() is not None
        # Whoever comes late with what was found is heard, once.
        assert await store.judgements.judged(taken, FOUND[:1])
        assert not await other.judgements.judged(taken, FOUND[:1])


@in_loop
async def test_what_has_waited_for_too_long_is_dropped(url: str) -> None:
    async with a_store(url) as store:
        await people(store, ANNA)
        await finished(store, "one", ANNA)
        await store.judgements.drop(time.time() - 60)
        assert await store.judgements.are_waiting()
        await store.judgements.drop(time.time() + 60)
        assert not await store.judgements.are_waiting()
