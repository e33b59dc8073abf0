"""Backups, restoring them into either database, and stores of other versions."""

from __future__ import annotations

import asyncio
import json
import stat
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from bullpen.cards import Problem
from bullpen.cli import main
from bullpen.languages import LANGUAGES
from bullpen.server.store import Key, NewEvent, Result, Store, open_store, schema
from bullpen.server.store.backup import back_up, inspected, restore
from bullpen.text import voice
from tests.store.stories import a_store, a_table, all_tables, in_loop, meta, move, results


async def fill(store: Store) -> None:
    """A bit of everything."""
    for table in ("alpha", "beta"):
        await a_table(store, table, events=3)
    await store.append("beta", 4, [NewEvent(None, None, "start", {"ż": ["🐂", 1.5, None]})])
    await store.say("alpha", 0, "Anna", "hello")
    await store.finish("beta", {"game": "x-nimmt"}, "x-nimmt", [Result(0, "Anna", "d", 3, True)])
    await store.reseat(
        "alpha", {"state": "playing", "game": "x-nimmt"}, (), [Key("hash", 1, "session", "Bob")]
    )


async def all_of(store: Store) -> list[object]:
    tables = await all_tables(store)
    return [
        tables,
        [await store.header(table) for table in tables],
        [await store.events(table) for table in tables],
        [await store.chat(table) for table in tables],
        [await results(store, table) for table in tables],
        await store.statistics(),
        [await store.keys(table) for table in tables],
        await meta(store),
    ]


@pytest.fixture(params=["sqlite", "postgresql"])
def other_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/restored.db"
    made: str = request.getfixturevalue("postgres").new_database()
    return made


def test_a_backup_restores_everything_into_either_database(
    url: str, other_url: str, tmp_path: Path
) -> None:
    async def before() -> list[object]:
        async with a_store(url) as store:
            await fill(store)
            # While the store is open and goes on.
            copied = await asyncio.to_thread(back_up, url, tmp_path / "a.backup")
            assert (copied.tables, copied.events, copied.damaged) == (2, 7, [])
            kept = await all_of(store)
            await store.append("alpha", 4, [move(4)])
            return kept

    async def after() -> list[object]:
        async with a_store(other_url) as store:
            found = await all_of(store)
            await store.append("alpha", 4, [move(4)])
            return found

    kept = asyncio.run(before())
    backup = tmp_path / "a.backup"
    content = backup.read_bytes()
    copied = restore(backup, other_url)
    assert (copied.tables, copied.events, copied.damaged) == (2, 7, [])
    assert asyncio.run(after()) == kept
    assert backup.read_bytes() == content
    assert stat.S_IMODE(backup.stat().st_mode) == 0o600
    assert not [path.name for path in tmp_path.iterdir() if path.name.startswith("a.backup-")]
    with pytest.raises(Problem) as refused:
        restore(backup, other_url)
    assert refused.value.key == "restore_not_empty"


def test_a_backup_overwrites_nothing(url: str, tmp_path: Path) -> None:
    asyncio.run(closed(url))
    (tmp_path / "a.backup").write_text("mine")
    with pytest.raises(Problem) as refused:
        back_up(url, tmp_path / "a.backup")
    assert refused.value.key == "backup_exists"
    assert (tmp_path / "a.backup").read_text() == "mine"


def test_a_place_that_cannot_be_written_is_named(url: str, tmp_path: Path) -> None:
    asyncio.run(closed(url))
    (tmp_path / "file").write_text("mine")
    with pytest.raises(Problem) as refused:
        back_up(url, tmp_path / "file" / "a.backup")
    assert refused.value.key == "store_no_folder"
    assert str(tmp_path / "file" / "a.backup") in voice("en").problem(refused.value)


async def closed(url: str) -> None:
    async with a_store(url) as store:
        await fill(store)


@pytest.mark.parametrize("content", [b"", b"no database", b"SQLite format 3\0" + bytes(5000)])
def test_what_is_no_backup_is_refused_and_nothing_is_made(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "file").write_bytes(content)
    with pytest.raises(Problem) as refused:
        restore(tmp_path / "file", f"sqlite:///{tmp_path}/new.db")
    assert refused.value.key in ("backup_format", "store_damaged")
    assert not (tmp_path / "new.db").exists()


def test_a_damaged_table_comes_along_and_is_named(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/store.db"
    asyncio.run(closed(url))
    apsw.Connection(str(tmp_path / "store.db")).execute("DELETE FROM event WHERE seq = 2")
    assert [damage.table for damage in back_up(url, tmp_path / "b").damaged] == ["alpha", "beta"]
    copied = restore(tmp_path / "b", f"sqlite:///{tmp_path}/new.db")
    assert [(damage.table, damage.seq) for damage in copied.damaged] == [("alpha", 2), ("beta", 2)]


# -- Versions -----------------------------------------------------------------------------------


NEXT_VERSION = ("ALTER TABLE game_table ADD COLUMN colour TEXT",)


def test_a_file_whose_pages_are_damaged_is_not_called_sound(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where no chain is hit: tokens have none."""
    url = f"sqlite:///{tmp_path}/store.db"
    asyncio.run(closed(url))
    with closing(apsw.Connection(str(tmp_path / "store.db"))) as connection:
        connection.pragma("journal_mode", "delete")
        ((page,),) = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'token'")
        size = connection.pragma("page_size")
    with (tmp_path / "store.db").open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\x55" * size)
    copied = inspected(url)
    assert copied.damaged == []
    assert copied.faults
    assert main(["inspect", "--db", url]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert "The file itself is damaged" in said.err


def test_a_database_of_another_program_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    with closing(apsw.Connection(str(path))) as connection:
        connection.execute("CREATE TABLE foo (x)")
    before = path.read_bytes()
    with pytest.raises(Problem) as refused:
        asyncio.run(open_store(f"sqlite:///{path}"))
    assert refused.value.key == "store_foreign"
    assert path.read_bytes() == before


@in_loop
async def test_an_older_store_is_backed_up_and_then_brought_up_to_date(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    async with a_store(url) as store:
        await fill(store)
        kept = await all_of(store)
    monkeypatch.setattr(schema, "MIGRATIONS", [*schema.MIGRATIONS, NEXT_VERSION])
    for _ in range(2):  # the second time there is nothing to do
        async with a_store(url) as store:
            found = await all_of(store)
            assert found[:-1] == kept[:-1]
            assert (await meta(store))["schema"] == str(len(schema.MIGRATIONS))
    (backup,) = tmp_path.glob(f"*.version-{len(schema.MIGRATIONS) - 1}.*.backup")
    # The backup of the older version goes into a new store, and is brought up to date there.
    await asyncio.to_thread(restore, backup, f"sqlite:///{tmp_path}/again.db")
    async with a_store(f"sqlite:///{tmp_path}/again.db") as store:
        assert (await all_of(store))[:-1] == kept[:-1]


def test_a_migration_that_fails_leaves_the_store_as_it_was(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    asyncio.run(closed(url))
    broken = [*schema.MIGRATIONS, (*NEXT_VERSION, "ALTER TABLE nowhere ADD COLUMN x TEXT")]
    with monkeypatch.context() as patched:
        patched.setattr(schema, "MIGRATIONS", broken)
        with pytest.raises(Exception, match="nowhere"):
            asyncio.run(open_store(url))
    assert inspected(url) == (2, 7, [], [])
    assert asyncio.run(version(url)) == str(len(schema.MIGRATIONS))


async def version(url: str) -> str:
    async with a_store(url) as store:
        return (await meta(store))["schema"]


@in_loop
async def test_a_store_of_a_newer_version_is_refused(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with monkeypatch.context() as newer:
        newer.setattr(schema, "MIGRATIONS", [*schema.MIGRATIONS, NEXT_VERSION])
        async with a_store(url) as store:
            assert (await meta(store))["schema"] == str(len(schema.MIGRATIONS))
    for use in (lambda: asyncio.run(open_store(url)), lambda: back_up(url, tmp_path / "x")):
        with pytest.raises(Problem) as refused:
            await asyncio.to_thread(use)
        assert "newer Bullpen" in voice("en").problem(refused.value)


# -- Commands -----------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_commands_back_up_restore_and_inspect(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], language: str
) -> None:
    url, new = f"sqlite:///{tmp_path}/store.db", f"sqlite:///{tmp_path}/new.db"
    asyncio.run(closed(url))
    backup, words = str(tmp_path / "a.backup"), ["--lang", language]
    assert main(["backup", "--db", url, backup, *words]) == 0
    assert main(["restore", "--db", new, backup, *words]) == 0
    assert main(["inspect", "--db", new, *words]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 3
    apsw.Connection(str(tmp_path / "new.db")).execute(
        "UPDATE event SET seat = 1 WHERE table_id = 'alpha' AND seq = 3"
    )
    folder = tmp_path / "saved"
    assert main(["inspect", "--db", new, "--export", str(folder), *words]) == 2
    said = capsys.readouterr()
    assert len(said.out.splitlines()) == 2
    assert len(said.err.splitlines()) == 1
    (saved,) = folder.iterdir()
    read = json.loads(saved.read_text("utf-8"))
    assert (read["table"], read["damaged_from"], len(read["events"])) == ("alpha", 3, 2)
    assert read["header"]["game"] == "x-nimmt"
    assert main(["inspect", "--db", new, "--export", str(folder), *words]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "words",
    [
        ["backup", "x"],
        ["backup", "--db", "mysql://x", "x"],
        ["backup", "--db", "sqlite:////nowhere/at/all.db", "x"],
        ["backup", "--db", "postgresql://nobody@127.0.0.1:1/x", "x"],
        ["backup", "--db", "postgresql://[", "x"],
        ["restore", "--db", "sqlite:////nowhere/at/all.db", "/nowhere/either"],
        ["restore", "--db", "mysql://x", __file__],
        ["inspect", "--db", "sqlite:////etc"],
        ["inspect", "--db", f"sqlite:///{__file__}"],
        ["inspect"],
    ],
)
def test_what_is_typed_wrongly_is_answered_in_one_line(
    capsys: pytest.CaptureFixture[str], words: list[str], language: str
) -> None:
    assert main([*words, "--lang", language]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert len(said.err.splitlines()) == 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_trouble_of_the_store_has_a_sentence(language: str) -> None:
    from bullpen.server.store.contract import StoreUnavailable
    from bullpen.server.store.sqlite import UNAVAILABLE

    for key in {*UNAVAILABLE.values(), "store_lost", "store_is_closed"}:
        said = voice(language).problem(StoreUnavailable(key, "nothing", "because"))
        assert said.endswith(".")
