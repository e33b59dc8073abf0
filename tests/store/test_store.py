"""What the store promises, on either database."""

from __future__ import annotations

import asyncio
import hashlib
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bullpen.cards import Problem
from bullpen.server.store import (
    CHAT_KEPT,
    Conflict,
    Key,
    NewEvent,
    NoSuchTable,
    NotOwner,
    Result,
    StoreUnavailable,
    new_token,
    open_store,
    token_hash,
)
from bullpen.server.store.chain import canonical
from bullpen.server.store.connection import Rows, TryAgain
from bullpen.server.store.schema import MIGRATIONS
from bullpen.server.store.sql_store import SqlStore
from bullpen.text import voice
from tests.store.stories import (
    a_store,
    a_table,
    all_tables,
    in_loop,
    live_tables,
    meta,
    move,
    results,
    shuffle,
    told,
)

# -- Events -------------------------------------------------------------------------------------


@in_loop
async def test_events_are_read_back_as_they_were_written(url: str) -> None:
    given = [shuffle(3, 1, 2), move(1, seat=0), move(1, seat=1), NewEvent(1, 2, "timeout", {})]
    async with a_store(url) as store:
        await a_table(store)
        written = await store.append("alpha", 1, given[:2])
        written += await store.append("alpha", 3, given[2:])
        assert await store.events("alpha") == written
    async with a_store(url) as store:
        read = await store.events("alpha")
    assert read == written
    assert told(read) == given
    assert [event.seq for event in read] == [1, 2, 3, 4]
    assert len({event.hash for event in read}) == 4


@in_loop
async def test_a_payload_may_hold_any_text_and_number(url: str) -> None:
    odd = {"zero": "\0", "half": "\ud800", "ż": "🐂", "n": [1, 1.5, -(2**60), None, True, {"": ""}]}
    async with a_store(url) as store:
        await a_table(store, "Tisch 5 'ż\"")
        await store.append("Tisch 5 'ż\"", 1, [NewEvent(0, 1, "move", odd)])
        ((*_, payload, _, _),) = await store.events("Tisch 5 'ż\"")
    assert payload == odd


@in_loop
async def test_a_sequence_number_is_taken_once_and_the_conflict_names_what_stands_there(
    url: str,
) -> None:
    async with a_store(url) as store:
        await a_table(store, events=2)
        before = await store.events("alpha")
        with pytest.raises(Conflict) as refused:
            await store.append("alpha", 2, [move(3)])
        assert refused.value.stored == before[1]
        with pytest.raises(Conflict) as gap:
            await store.append("alpha", 4, [move(3)])
        assert gap.value.stored is None
        assert await store.events("alpha") == before


@in_loop
async def test_a_decision_is_answered_once_and_the_conflict_names_the_answer(url: str) -> None:
    """Promise 10: a move that is sent again has no second effect."""
    async with a_store(url) as store:
        await a_table(store, events=2)
        before = await store.events("alpha")
        with pytest.raises(Conflict) as refused:
            await store.append("alpha", 3, [shuffle(1), move(2)])
        assert refused.value.stored == before[1]
        with pytest.raises(Conflict):
            await store.append("alpha", 3, [move(5), move(5)])
        assert await store.events("alpha") == before
        await store.append("alpha", 3, [move(2, seat=1), shuffle(1), shuffle(2)])


@in_loop
async def test_one_append_among_many_that_fails_does_not_fail_its_neighbours(url: str) -> None:
    async with a_store(url) as store:
        tables = [f"table {n}" for n in range(30)]
        await asyncio.gather(*(a_table(store, table, events=1) for table in tables))
        appended = [
            store.append(table, 2 if n % 3 else 1, [move(2)]) for n, table in enumerate(tables)
        ]
        answers = await asyncio.gather(*appended, return_exceptions=True)
        for n, (table, answer) in enumerate(zip(tables, answers, strict=True)):
            assert isinstance(answer, list if n % 3 else Conflict)
            assert len(await store.events(table)) == (2 if n % 3 else 1)


@in_loop
async def test_a_decision_answered_again_among_many_does_not_fail_its_neighbours(url: str) -> None:
    async with a_store(url) as store:
        tables = [f"table {n}" for n in range(30)]
        await asyncio.gather(*(a_table(store, table, events=1) for table in tables))
        appended = [
            store.append(table, 2, [move(2), move(2 if n == 7 else 3)])
            for n, table in enumerate(tables)
        ]
        answers = await asyncio.gather(*appended, return_exceptions=True)
        assert [n for n, answer in enumerate(answers) if isinstance(answer, Conflict)] == [7]
        for n, table in enumerate(tables):
            assert len(await store.events(table)) == (1 if n == 7 else 3)


@in_loop
async def test_moves_that_wait_are_stored_by_a_few_statements(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with a_store(url) as store:
        assert isinstance(store, SqlStore)
        tables = [f"table {n}" for n in range(30)]
        await asyncio.gather(*(a_table(store, table) for table in tables))
        connection, statements = store.writer.connection, list[str]()
        run = connection.run

        def noted(sql: str, *values: Any) -> Rows:
            statements.append(sql)
            return run(sql, *values)

        monkeypatch.setattr(connection, "run", noted)
        await asyncio.gather(*(store.append(table, 1, [move(1), move(2)]) for table in tables))
        assert len(statements) < len(tables)
        for table in tables:
            assert told(await store.events(table)) == [move(1), move(2)]


@in_loop
async def test_what_is_tried_again_one_by_one_is_stored_once_and_answered(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where transactions of several processes are in each other's way."""
    async with a_store(url) as store:
        assert isinstance(store, SqlStore)
        tables = [f"table {n}" for n in range(5)]
        await asyncio.gather(*(a_table(store, table) for table in tables))
        connection, refused = store.writer.connection, ["the first commit"]
        commit = connection.commit

        def commits() -> None:
            if refused:
                raise TryAgain("store_busy", refused.pop())
            commit()

        monkeypatch.setattr(connection, "commit", commits)
        answers = await asyncio.gather(*(store.append(table, 1, [move(1)]) for table in tables))
        assert not refused
        for table, answer in zip(tables, answers, strict=True):
            assert await store.events(table) == answer
            assert told(answer) == [move(1)]


@in_loop
async def test_however_many_moves_are_stored_together_no_statement_gives_more_than_one_row(
    url: str,
) -> None:
    """Before each row that the thread takes it waits for its turn."""
    async with a_store(url) as store:
        assert isinstance(store, SqlStore)
        tables = [f"table {n}" for n in range(20)]
        await asyncio.gather(*(a_table(store, table) for table in tables))
        run, rows = store.writer.connection.run, []

        def counted(sql: str, *values: Any) -> Rows:
            found = run(sql, *values)
            rows.append(len(found))
            return found

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(store.writer.connection, "run", counted)
            answers = await asyncio.gather(*(store.append(one, 1, [move(1)]) for one in tables))
        assert max(rows) == 1
        assert len(rows) < len(tables)  # they did go together
        for table, answer in zip(tables, answers, strict=True):
            assert await store.events(table) == answer


@in_loop
async def test_jobs_of_one_table_that_go_together_keep_their_order(url: str) -> None:
    async with a_store(url) as store:
        tables = [f"table {n}" for n in range(10)]
        await asyncio.gather(*(a_table(store, table) for table in tables))
        waiting = [store.append(table, seq, [move(seq)]) for seq in range(1, 6) for table in tables]
        await asyncio.gather(*waiting)
        for table in tables:
            assert [event.decision for event in await store.events(table)] == [1, 2, 3, 4, 5]


@in_loop
async def test_what_fails_halfway_leaves_nothing_behind(url: str) -> None:
    """A game whose results name a seat twice: its header is as it was, and its neighbours go on."""
    async with a_store(url) as store:
        await a_table(store, events=1)
        await a_table(store, "beta")
        twice = [Result(0, "Anna", "d", 3, True)] * 2
        failing = store.finish("alpha", {"changed": True}, "x-nimmt", twice)
        failed, appended = await asyncio.gather(
            failing, store.append("beta", 1, [move(1)]), return_exceptions=True
        )
        assert isinstance(failed, Exception)
        assert await store.events("beta") == appended
        header = await store.header("alpha")
        assert header is not None
        assert header["state"] == "playing"
        assert await results(store, "alpha") == []
        await store.append("alpha", 2, [move(2)])


@in_loop
async def test_of_two_appends_to_one_place_one_wins(url: str) -> None:
    async with a_store(url) as store:
        await a_table(store)
        both = (store.append("alpha", 1, [move(1, seat=seat)]) for seat in (0, 1))
        answers = await asyncio.gather(*both, return_exceptions=True)
        (won,) = [answer for answer in answers if isinstance(answer, list)]
        (lost,) = [answer for answer in answers if isinstance(answer, Conflict)]
        assert await store.events("alpha") == won
        assert lost.stored == won[0]


@in_loop
async def test_a_table_that_does_not_exist_has_no_events_and_takes_none(url: str) -> None:
    async with a_store(url) as store:
        assert await store.header("nowhere") is None
        for asked in (store.events("nowhere"), store.append("nowhere", 1, [move(1)])):
            with pytest.raises(NoSuchTable):
                await asked
        with pytest.raises(NoSuchTable):
            await store.say("nowhere", 0, "Anna", "hello?")
        with pytest.raises(NoSuchTable):
            await store.reseat("nowhere", {}, (), ())


@in_loop
async def test_what_nobody_waits_for_any_more_is_stored_or_not_but_never_in_part(url: str) -> None:
    async with a_store(url) as store:
        await a_table(store)
        append = asyncio.ensure_future(store.append("alpha", 1, [move(1), move(2)]))
        await asyncio.sleep(0)
        append.cancel()
        await store.create("beta", "game", {})
        assert len(await store.events("alpha")) in (0, 2)


# -- Headers ------------------------------------------------------------------------------------


@in_loop
async def test_a_header_changes_and_says_whether_the_table_lives(url: str) -> None:
    async with a_store(url) as store:
        for table in "abcd":
            await store.create(table, "game", {"seats": ["Anna"]})
        await store.update("b", {"state": "playing"})
        await store.update("c", {"state": "finished"})
        await store.update("d", {"state": "abandoned"})
        assert await store.header("a") == {"seats": ["Anna"]}
        assert await store.header("b") == {"state": "playing"}
        assert await live_tables(store) == ["a", "b"]
        assert await all_tables(store) == ["a", "b", "c", "d"]
        with pytest.raises(Conflict):
            await store.create("a", "game", {})
        with pytest.raises(NoSuchTable):
            await store.update("e", {})


@in_loop
async def test_idle_lobbies_are_reaped_with_all_that_belongs_to_them(url: str) -> None:
    async with a_store(url) as store:
        await store.create("old", "game", {})
        await store.reseat("old", {}, (), [Key("hash", 0, "session")])
        await store.say("old", 0, "Anna", "anybody there?")
        await a_table(store, "playing", events=1)
        await asyncio.sleep(0.02)
        then = time.time()
        await store.create("new", "game", {})
        assert (
            await store.reap(untouched_since=then) == []
        )  # it is kept, and somebody may wait there
        await store.release("old")
        assert await store.reap(untouched_since=then) == ["old"]
        assert await live_tables(store) == ["playing", "new"]
        assert await store.keys("old") == []
        assert await store.chat("old") == []
        await store.create("old", "game", {})  # its name is free again
        assert await store.events("old") == []


# -- Results ------------------------------------------------------------------------------------


@in_loop
async def test_results_are_kept_once_and_summed_up_by_device(url: str) -> None:
    async with a_store(url) as store:
        for n, (own, other) in enumerate([(5, 9), (7, 2), (3, 3)]):
            await a_table(store, f"t{n}")
            scored = [
                Result(0, f"Anna {n}", "device-a", own, own <= other),
                Result(1, "Bot", None, other, other <= own),
            ]
            for _ in range(2):
                await store.finish(f"t{n}", {}, "x-nimmt", scored)
            assert await results(store, f"t{n}") == scored
        (standing,) = await store.statistics()
        assert standing[:7] == ("x-nimmt", "device-a", "Anna 2", 3, 2, 3, 7)
        assert standing.mean == 5
        assert await store.statistics(device="device-a") == [standing]
        assert await store.statistics(device="device-of-nobody") == []
        assert await live_tables(store) == []
        await store.delete("t0")
        assert await store.statistics() == [standing]


# -- Tokens and chat ----------------------------------------------------------------------------


ANNA, BO, LINK = (
    Key("a", 0, "session", "Anna"),
    Key("b", 1, "session", "Bo"),
    Key("l", None, "invite"),
)


@in_loop
async def test_header_and_tokens_change_together(url: str) -> None:
    async with a_store(url) as store:
        await store.create("alpha", "game", {"n": 1}, [ANNA, LINK])
        assert sorted(await store.keys("alpha")) == sorted([ANNA, LINK])
        await store.reseat("alpha", {"n": 2}, [1], [BO])
        again = BO._replace(hash="c")
        await store.reseat("alpha", {"n": 3}, [1], [again])
        assert sorted(await store.keys("alpha")) == sorted([ANNA, LINK, again])
        await store.reseat("alpha", {"n": 4}, [1, None], [])
        assert await store.keys("alpha") == [ANNA]
        with pytest.raises(Exception, match=r"(?i)unique|constraint"):
            await store.reseat("alpha", {"n": 5}, [], [BO, ANNA])  # there is a token like this
        assert await store.keys("alpha") == [ANNA]
        assert await store.header("alpha") == {"n": 4}
        with pytest.raises(NoSuchTable):
            await store.reseat("nowhere", {}, [0], [])


@in_loop
async def test_the_tokens_of_one_table_are_not_those_of_another(url: str) -> None:
    async with a_store(url) as store:
        await store.create("alpha", "game", {}, [ANNA])
        await store.create("beta", "game", {}, [BO._replace(seat=0)])
        await store.reseat("alpha", {}, [0, None], [])
        assert await store.keys("alpha") == []
        assert await store.keys("beta") == [BO._replace(seat=0)]


@in_loop
async def test_who_has_lost_a_table_changes_none_of_its_tokens(url: str) -> None:
    async with a_store(url) as store, a_store(url) as other:
        await store.create("alpha", "game", {"n": 1}, [ANNA])
        await store.release("alpha")
        assert await other.claim("alpha")
        await other.reseat("alpha", {"n": 2}, [], [LINK])
        if url.startswith("postgresql"):
            with pytest.raises(NotOwner):
                await store.reseat("alpha", {"n": 3}, [0], [])
        assert sorted(await store.keys("alpha")) == sorted([ANNA, LINK])


def test_a_token_has_256_bits_and_only_its_hash_is_kept() -> None:
    tokens = {new_token() for _ in range(20)}
    assert len(tokens) == 20
    for token in tokens:
        assert len(token) == 43  # 32 bytes in base 64
        assert token_hash(token) == hashlib.sha256(token.encode()).hexdigest()


@in_loop
async def test_chat_is_kept_in_its_order_as_far_as_there_is_room(url: str) -> None:
    async with a_store(url) as store:
        await a_table(store)
        said = [store.say("alpha", n % 2, "Anna", f"line {n}") for n in range(CHAT_KEPT + 3)]
        await asyncio.gather(*said)
        kept = await store.chat("alpha")
        assert [line.text for line in kept] == [f"line {n}" for n in range(3, CHAT_KEPT + 3)]
        assert await store.events("alpha") == []


# -- Opening, closing -----------------------------------------------------------------


@in_loop
async def test_a_closed_store_refuses_and_says_so(url: str) -> None:
    store = await open_store(url)
    await a_table(store)
    waiting = asyncio.ensure_future(store.append("alpha", 1, [move(1)]))
    await asyncio.sleep(0)
    await store.close()
    assert len(await waiting) == 1  # what was asked before is still done
    await store.close()
    for asked in (store.append("alpha", 2, [move(2)]), store.events("alpha")):
        with pytest.raises(StoreUnavailable) as refused:
            await asked
        assert refused.value.stored == "nothing"


@in_loop
async def test_the_store_knows_its_version_and_that_of_the_rules(url: str) -> None:
    from bullpen import __version__

    for _ in range(2):
        async with a_store(url) as store:
            known = await meta(store)
            assert (known["schema"], known["rules"]) == (str(len(MIGRATIONS)), __version__)


@pytest.mark.parametrize("bad", ["mysql://x", "store.db", "", "sqlite:///"])
def test_an_address_of_no_store_is_refused(bad: str) -> None:
    with pytest.raises(Problem) as refused:
        asyncio.run(open_store(bad))
    assert "sqlite:///" in voice("en").problem(refused.value)


def test_a_database_that_nobody_serves_is_refused_without_telling_its_password() -> None:
    with pytest.raises(Problem) as refused:
        asyncio.run(open_store("postgresql://anna:sesame@127.0.0.1:1/x"))
    assert "sesame" not in voice("en").problem(refused.value)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
)
def test_canonical_json_is_one_line_of_ascii_that_reads_back(value: Any) -> None:
    import json

    try:
        text = canonical(value)
    except ValueError:  # infinity
        return
    assert text.isascii()
    assert "\n" not in text
    assert canonical(json.loads(text)) == text
